import { expect, it } from 'vitest';
import { ingestionSnippets } from './ingestion-snippets.ts';
import { otlpEndpoint } from './otlp-endpoint.ts';

it.each([
  ['http:5318', { url: 'http://obs.example:5318', isKnown: true }],
  ['https://otel.example/in', { url: 'https://otel.example/in', isKnown: true }],
  ['', { url: 'http://obs.example:4318', isKnown: false }],
])('%j', (configured, endpoint) => {
  expect(otlpEndpoint(configured, 'obs.example')).toEqual(endpoint);
});

it('the curl line sends one log event of now, as JSON', () => {
  const curl = ingestionSnippets('http://obs.example:5318', 'k').find(({ id }) => id === 'curl')?.text ?? '';
  const body = /-d '(.*)'$/s.exec(curl)?.[1]?.replace("'$(date +%s)'", '1800000000') ?? '';
  const { resourceLogs } = JSON.parse(body) as { resourceLogs: { scopeLogs: { logRecords: unknown[] }[] }[] };
  expect(resourceLogs[0]?.scopeLogs[0]?.logRecords).toEqual([
    { timeUnixNano: '1800000000000000000', severityText: 'INFO', body: { stringValue: 'Hello from curl' } },
  ]);
});

it('is in every snippet', () => {
  for (const { label, text } of ingestionSnippets('http://obs.example:5318', 'k')) {
    expect(text, label).toContain('http://obs.example:5318');
  }
});
