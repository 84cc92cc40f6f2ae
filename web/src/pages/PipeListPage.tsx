import { IconPlus } from '@tabler/icons-react';
import { ownService } from '../features/organizations/own-service.ts';
import { PipeTable } from '../features/pipes/PipeTable.tsx';
import { usePipes } from '../features/pipes/pipe-queries.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorNotice } from '../ui/ErrorNotice.tsx';
import { ButtonLink } from '../ui/links.tsx';
import { Page } from '../ui/Page.tsx';
import { Panel } from '../ui/Panel.tsx';

/** The pipes of a service, and how they are doing. */
export function PipeListPage() {
  const { path } = ownService();
  const pipes = usePipes(path);
  const newPipe = (
    <ButtonLink leftSection={<IconPlus size={14} />} to="/pipes/new">
      New pipe
    </ButtonLink>
  );
  return (
    <Page title="Pipes" actions={newPipe}>
      {pipes.error ? <ErrorNotice error={pipes.error} onRetry={pipes.refetch} /> : null}
      {pipes.data?.length === 0 ? (
        <EmptyState
          title="No pipes"
          hint="A pipe copies rows of files, topics, streams or tables into a table of this service, and follows what is new."
        />
      ) : null}
      {pipes.isPending || (pipes.data && pipes.data.length > 0) ? (
        <Panel>
          <PipeTable service={path} pipes={pipes.data} />
        </Panel>
      ) : null}
    </Page>
  );
}
