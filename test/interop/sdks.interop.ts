import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FieldWorld } from '../field-reports/field-world.ts';
import { ingestionKey, startProgram } from '../support/start-program.ts';
import { buildGo, buildRust, type FoundTool, javaWith, pythonWith, whyMissing } from './interop-cache.ts';

const run = promisify(execFile);
const python = await pythonWith('otel', [
  'opentelemetry-sdk==1.45.2',
  'opentelemetry-exporter-otlp-proto-http==1.45.2',
  'opentelemetry-exporter-otlp-proto-grpc==1.45.2',
]);
const go = await buildGo('go', 'sdk');
const java = await javaWith('java', 'src/Sdk.java');
const rust = await buildRust('rust-sdk');

let world: FieldWorld;

beforeAll(async () => {
  world = new FieldWorld(await startProgram({ env: { SIGNALBOX_ROLES: 'api,collector' } }));
});
afterAll(() => world?.program.stop());

const senders: readonly [name: string, tool: FoundTool, before: readonly string[]][] = [
  ['Python', python, [join(import.meta.dirname, 'python-sdk.py')]],
  ['Go', go, []],
  ['Java', java.tool, java.before],
  ['Rust', rust, []],
];

describe.each(senders)('the OpenTelemetry SDK for %s', (name, tool, before) => {
  it
    .skipIf(tool.kind === 'missing')
    .each(
      ['http', 'grpc'].flatMap((transport) => ['none', 'gzip'].map((compression) => [transport, compression] as const)),
    )(`sends logs, traces and metrics over %s, compression %s${whyMissing(tool)}`, async (transport, compression) => {
    const service = `${name}-${transport}-${compression}`.toLowerCase();
    const { otlpGrpc, otlpHttp } = world.program.addresses;
    const env = {
      ...process.env,
      OTEL_EXPORTER_OTLP_ENDPOINT: transport === 'grpc' ? otlpGrpc : otlpHttp,
      OTEL_EXPORTER_OTLP_INSECURE: 'true',
      OTEL_EXPORTER_OTLP_HEADERS: `authorization=${ingestionKey}`,
      // Not every SDK knows the word none.
      ...(compression === 'gzip' && { OTEL_EXPORTER_OTLP_COMPRESSION: compression }),
    };
    await run(tool.kind === 'found' ? tool.file : '', [...before, transport, service], { env });
    expect(await world.search('log', `ServiceName:"${service}"`, 'Body, SeverityText')).toEqual([
      expect.objectContaining({ Body: 'order 42 failed', SeverityText: 'ERROR' }),
    ]);
    expect(await world.search('trace', `ServiceName:"${service}"`, 'SpanName')).toEqual([
      expect.objectContaining({ SpanName: 'checkout' }),
    ]);
    const [row] = await world.chart({
      ...{ startTime: Date.now() - 600_000, endTime: Date.now() + 60_000, granularity: '1d' },
      series: [
        {
          ...{ sourceId: await world.sourceId('metric'), aggFn: 'sum', where: '', groupBy: [] },
          ...{ metricName: `${service}.orders`, metricDataType: 'sum' },
        },
      ],
    });
    expect(row?.['series_0.data']).toBe(3);
  });
});
