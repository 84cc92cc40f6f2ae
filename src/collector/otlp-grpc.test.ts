import { Client, credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { gate } from '../../test/support/gate.ts';
import { SinkFullError, TelemetryError } from '../telemetry/ports.ts';
import { OtlpGrpcServer } from './otlp-grpc.ts';
import { collectorFixture, ingestionKey } from './testing/collector-fixture.ts';
import { decodeReply, encodeRequest } from './testing/otlp-oracle.ts';

const paths = {
  logs: '/opentelemetry.proto.collector.logs.v1.LogsService/Export',
  traces: '/opentelemetry.proto.collector.trace.v1.TraceService/Export',
  metrics: '/opentelemetry.proto.collector.metrics.v1.MetricsService/Export',
};
const oneLog = encodeRequest('logs', {
  resourceLogs: [{ scopeLogs: [{ logRecords: [{ body: { stringValue: 'hello' } }] }] }],
});

let fixture: ReturnType<typeof collectorFixture>;
let server: OtlpGrpcServer;
let client: Client;

beforeEach(async () => {
  fixture = collectorFixture();
  server = new OtlpGrpcServer({ ...fixture.options, messageBytesMax: 100_000 });
  const { port } = await server.start();
  client = new Client(`127.0.0.1:${port}`, credentials.createInsecure(), { 'grpc.default_compression_algorithm': 2 });
});
afterEach(async () => {
  client.close();
  await server.stop();
});

function send(path: string, body: Buffer, authorization: string | undefined = ingestionKey): Promise<Buffer> {
  const metadata = new Metadata();
  if (authorization) metadata.set('authorization', authorization);
  const asIs = (bytes: Buffer) => bytes;
  return new Promise((resolve, reject) => {
    client.makeUnaryRequest(path, asIs, asIs, body, metadata, (error: ServiceError | null, reply?: Buffer) => {
      if (error) reject(error);
      else resolve(reply ?? Buffer.alloc(0));
    });
  });
}

function failure(reply: Promise<Buffer>): Promise<ServiceError> {
  return reply.then(
    () => Promise.reject(new Error('the call succeeded')),
    (error: ServiceError) => error,
  );
}

describe('Export', () => {
  it.each([ingestionKey, `Bearer ${ingestionKey}`])('stores with the key as %s', async (authorization) => {
    expect((await send(paths.logs, oneLog, authorization)).length).toBe(0);
    expect(fixture.storedRows()).toMatchObject({ otel_logs: [{ Body: 'hello' }] });
    expect(fixture.sink.added[0]?.database).toBe('otel_team');
  });

  it('serves all three signals and reports partial success', async () => {
    const spans = { resourceSpans: [{ scopeSpans: [{ spans: [{ name: 'no ids' }] }] }] };
    const reply = decodeReply('traces', await send(paths.traces, encodeRequest('traces', spans)));
    expect(JSON.parse(JSON.stringify(reply))).toMatchObject({
      partialSuccess: { errorMessage: '1 × a trace id has 16 bytes that are not all zero' },
    });
    const gauge = { dataPoints: [{ asDouble: 1.5 }] };
    const metrics = { resourceMetrics: [{ scopeMetrics: [{ metrics: [{ name: 'm', gauge }] }] }] };
    await send(paths.metrics, encodeRequest('metrics', metrics));
    expect(fixture.storedRows()).toMatchObject({ otel_metrics_gauge: [{ MetricName: 'm', Value: 1.5 }] });
  });

  it.each([[''], ['Bearer personal-key']])('refuses the key `%s`: UNAUTHENTICATED', async (authorization) => {
    const error = await failure(send(paths.logs, oneLog, authorization));
    expect(error.code).toBe(status.UNAUTHENTICATED);
    expect(fixture.sink.added).toEqual([]);
    expect(fixture.metrics.counts).toEqual({ 'refused logs unauthenticated': 1 });
  });

  it('refuses what is not protobuf: INVALID_ARGUMENT, nothing stored', async () => {
    const error = await failure(send(paths.logs, Buffer.concat([oneLog, Buffer.from([0x0a, 0x50])])));
    expect(error.code).toBe(status.INVALID_ARGUMENT);
    expect(error.details).toContain('at byte');
    expect(fixture.sink.added).toEqual([]);
  });

  it('refuses a message that is too large once decompressed: RESOURCE_EXHAUSTED', async () => {
    const error = await failure(send(paths.logs, Buffer.alloc(100_001)));
    expect(error.code).toBe(status.RESOURCE_EXHAUSTED);
  });

  it.each([
    ['full buffers', new SinkFullError(), status.RESOURCE_EXHAUSTED, true],
    ['an engine that restarts', new TelemetryError('unavailable', 'secret host'), status.UNAVAILABLE, true],
    ['an engine that fails', new TelemetryError('failed', 'secret SQL'), status.UNAVAILABLE, true],
    ['an error that nobody foresaw', new RangeError('secret stack'), status.UNAVAILABLE, true],
  ])('with %s says whether to try again, and no detail', async (_, problem, code, retry) => {
    fixture.sink.failWith = problem;
    const error = await failure(send(paths.logs, oneLog));
    expect(error.code).toBe(code);
    expect(error.message).not.toContain('secret');
    const [details] = error.metadata.get('grpc-status-details-bin');
    expect(Buffer.from(details ?? '').includes('google.rpc.RetryInfo')).toBe(retry);
  });

  it('stop waits for calls that are under way', async () => {
    const committed = gate();
    const add = vi.spyOn(fixture.sink, 'add').mockReturnValue(committed.passed);
    const reply = send(paths.logs, oneLog);
    await vi.waitFor(() => expect(add).toHaveBeenCalled());
    const stopped = server.stop();
    committed.open();
    expect((await reply).length).toBe(0);
    await stopped;
  });
});
