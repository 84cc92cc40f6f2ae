import { Stack, Tabs, Text } from '@mantine/core';
import { otlpHttp } from '../../boot.ts';
import { Snippet } from '../../ui/Snippet.tsx';
import { ingestionSnippets } from './ingestion-snippets.ts';
import { otlpEndpoint } from './otlp-endpoint.ts';

/** How programs send telemetry with this ingestion key, one tab per way. */
export function SdkSnippets({ secret }: { secret: string }) {
  const endpoint = otlpEndpoint(otlpHttp, location.hostname);
  const snippets = ingestionSnippets(endpoint.url, secret);
  return (
    <Stack gap={12}>
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
