import { ErrorNotice } from '../ui/ErrorNotice.tsx';
import { Page } from '../ui/Page.tsx';

/** A page that could not be shown at all. */
export function ProblemPage({ error }: { error: Error }) {
  return (
    <Page title="Something went wrong" narrow>
      <ErrorNotice error={error} onRetry={() => location.reload()} />
    </Page>
  );
}
