import { Stack, Tabs, Text } from '@mantine/core';
import { otlpHttp } from '../../boot.ts';
import { Snippet } from '../../ui/Snippet.tsx';
import { ingestionSnippets } from './ingestion-snippets.ts';
import { KeyPanel } from './KeyPanel.tsx';
import { otlpEndpoint } from './otlp-endpoint.ts';

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
      showSecret={({ key = '' }) => <IngestionSecret secret={key} />}
    />
  );
}

function IngestionSecret({ secret }: { secret: string }) {
  const endpoint = otlpEndpoint(otlpHttp, location.hostname);
  const snippets = ingestionSnippets(endpoint.url, secret);
  return (
    <Stack gap={12}>
      <Snippet text={secret} label="ingestion key" autoFocus />
      <Tabs defaultValue={snippets[0]?.id ?? null}>
        <Tabs.List>
          {snippets.map(({ id, label }) => (
            <Tabs.Tab key={id} value={id}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {snippets.map(({ id, label, text }) => (
          <Tabs.Panel key={id} value={id} pt={12}>
            <Snippet text={text} label={label} />
          </Tabs.Panel>
        ))}
      </Tabs>
      <Text size="xs" c="var(--sb-muted)">
        {endpoint.isKnown
          ? 'If programs reach the collector at another address, set SIGNALBOX_OTLP_PUBLIC_URL where Signalbox is started.'
          : 'The collector runs elsewhere: 4318 is its usual port. Set SIGNALBOX_OTLP_PUBLIC_URL to show its address here.'}
      </Text>
    </Stack>
  );
}
