import type { FirstKeys } from './bootstrap.ts';
import type { Addresses } from './start-app.ts';

const labels: Record<keyof Addresses, string> = {
  web: 'Web',
  api: 'API',
  otlpGrpc: 'OTLP/gRPC',
  otlpHttp: 'OTLP/HTTP',
  ops: 'Health, metrics',
};

/** What a person at a terminal needs to begin; the keys of a new store are shown this once. */
export function banner(addresses: Addresses, keys: FirstKeys | undefined): string {
  // The keys of a literal are its names.
  const lines = (Object.keys(labels) as (keyof Addresses)[])
    .filter((name) => addresses[name] !== undefined)
    .map((name) => `  ${labels[name].padEnd(17)}${addresses[name]}`);
  return ['', '  Signalbox is ready.', '', ...lines, ...keyLines(keys), '', '  Ctrl-C stops it.', '', ''].join('\n');
}

function keyLines(keys: FirstKeys | undefined): string[] {
  if (!keys) return [];
  return [
    '',
    `  A new store with the team "${keys.team}". Its first keys, shown this once:`,
    `  Personal API key ${keys.personalApiKey}`,
    `  Ingestion key    ${keys.ingestionApiKey}`,
  ];
}
