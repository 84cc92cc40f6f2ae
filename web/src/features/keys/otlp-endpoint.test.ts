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

it('is in every snippet', () => {
  for (const { label, text } of ingestionSnippets('http://obs.example:5318', 'k')) {
    expect(text, label).toContain('http://obs.example:5318');
  }
});
