import { Stack } from '@mantine/core';
import { Snippet } from '../../ui/Snippet.tsx';
import { KeyPanel } from './KeyPanel.tsx';
import { SdkSnippets } from './SdkSnippets.tsx';

const description =
  'For programs that send logs, traces and metrics. They can only write telemetry; they do not give access to the API.';

/** Keys of collectors and SDKs, with what to paste there. */
export function IngestionKeys({ path, withRotation = false }: { path: string; withRotation?: boolean }) {
  return (
    <KeyPanel
      title="Ingestion keys"
      description={description}
      path={path}
      noun="ingestion key"
      purpose="Create one to send your first telemetry; it comes with settings to paste into an SDK or a collector."
      withRotation={withRotation}
      showSecret={({ key = '' }) => (
        <Stack gap={12}>
          <Snippet text={key} label="ingestion key" autoFocus />
          <SdkSnippets secret={key} />
        </Stack>
      )}
    />
  );
}
