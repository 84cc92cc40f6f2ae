import { connect, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http2';
import { deflateSync, gzipSync } from 'node:zlib';
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
let boundPort: number;

beforeEach(async () => {
  fixture = collectorFixture();
  server = new OtlpGrpcServer({ ...fixture.options, messageBytesMax: 100_000 });
  ({ port: boundPort } = await server.start());
  client = new Client(`127.0.0.1:${boundPort}`, credentials.createInsecure(), {
    'grpc.default_compression_algorithm': 2,
  });
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

function frameOf(message: Buffer): Buffer {
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}

/** A call by HTTP/2 alone, to send what a gRPC library would not. */
function openCall(headers: OutgoingHttpHeaders, port: number) {
  const session = connect(`http://127.0.0.1:${port}`);
  const stream = session.request({
    ':method': 'POST',
    ':path': paths.logs,
    'content-type': 'application/grpc',
    te: 'trailers',
    authorization: ingestionKey,
    ...headers,
  });
  stream.on('error', () => {});
  const closed = new Promise<void>((resolve) => stream.once('close', resolve)).then(() => session.close());
  const answered = new Promise<IncomingHttpHeaders & { ':status'?: number }>((resolve) => {
    stream.once('response', resolve);
  });
  stream.resume();
  return { stream, headers: answered, closed };
}

async function call(headers: OutgoingHttpHeaders, body: Buffer, port = boundPort) {
  const { stream, headers: answered, closed } = openCall(headers, port);
  stream.end(body);
  const answer = await answered;
  await closed;
  return { headers: answer, closed };
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
    ['an unexpected error', new RangeError('secret stack'), status.UNAVAILABLE, true],
  ])('with %s says whether to try again, and no detail', async (_, problem, code, retry) => {
    fixture.sink.failWith = problem;
    const error = await failure(send(paths.logs, oneLog));
    expect(error.code).toBe(code);
    expect(error.message).not.toContain('secret');
    const [details] = error.metadata.get('grpc-status-details-bin');
    expect(Buffer.from(details ?? '').includes('google.rpc.RetryInfo')).toBe(retry);
  });

  it('refuses a compression that it does not take: UNIMPLEMENTED, with those that it does', async () => {
    const { headers, closed } = await call({ 'grpc-encoding': 'br' }, Buffer.from([1, 0, 0, 0, 1, 0]));
    expect(headers).toMatchObject({
      'grpc-status': '12',
      'grpc-accept-encoding': 'identity,gzip,deflate,zstd,snappy,lz4',
    });
    await closed;
  });

  it.each([
    ['no message', Buffer.alloc(0)],
    ['half a message', Buffer.from([0, 0, 0, 0, 9, 1])],
    ['two messages', Buffer.concat([frameOf(oneLog), frameOf(oneLog)])],
    ['a compressed message of no compression', Buffer.concat([Buffer.from([1]), frameOf(oneLog).subarray(1)])],
    ['an unknown flag', Buffer.concat([Buffer.from([7]), frameOf(oneLog).subarray(1)])],
  ])('refuses %s: INVALID_ARGUMENT', async (_, body) => {
    expect((await call({}, body)).headers['grpc-status']).toBe('3');
    expect(fixture.budget.total).toBe(0);
  });

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['identity', (bytes: Buffer) => bytes],
  ])('takes %s', async (encoding, compress) => {
    const message = compress(oneLog);
    const frame = frameOf(message);
    frame[0] = encoding === 'identity' ? 0 : 1;
    await call({ 'grpc-encoding': encoding }, frame);
    expect(fixture.storedRows()).toMatchObject({ otel_logs: [{ Body: 'hello' }] });
  });

  it('refuses what expands beyond all measure: RESOURCE_EXHAUSTED', async () => {
    const frame = frameOf(gzipSync(Buffer.alloc(50_000_000, 1)));
    frame[0] = 1;
    const wide = new OtlpGrpcServer({ ...fixture.options, messageBytesMax: 64 << 20 });
    const { port } = await wide.start();
    expect((await call({ 'grpc-encoding': 'gzip' }, frame, port)).headers['grpc-status']).toBe('8');
    await wide.stop();
  });

  it('holds no more bytes of unfinished calls than the budget allows', async () => {
    const wide = new OtlpGrpcServer({ ...fixture.options, messageBytesMax: 64 << 20 });
    const { port } = await wide.start();
    const half = Buffer.alloc(600_000);
    half.writeUInt32BE(2_000_000, 1);
    const first = openCall({}, port);
    first.stream.write(half);
    await expect.poll(() => fixture.budget.total).toBe(600_000);
    const second = openCall({}, port);
    second.stream.write(half);
    expect((await second.headers)['grpc-status']).toBe('8');
    first.stream.close();
    await expect.poll(() => fixture.budget.total).toBe(0);
    await wide.stop();
  });

  it('stops waiting for a message that does not arrive: DEADLINE_EXCEEDED', async () => {
    const { stream, headers } = openCall({}, boundPort);
    stream.write(Buffer.from([0, 0]));
    await expect.poll(() => fixture.budget.total).toBe(2);
    fixture.clock.advance(60_000);
    expect((await headers)['grpc-status']).toBe('4');
    await expect.poll(() => fixture.budget.total).toBe(0);
  });

  it.each([
    ['/opentelemetry.proto.collector.profiles.v1.ProfilesService/Export', 'application/grpc', '12'],
    [paths.logs, 'application/json', undefined],
  ])('refuses %s as %s', async (path, type, grpcStatus) => {
    const { headers } = await call({ ':path': path, 'content-type': type }, frameOf(oneLog));
    expect(headers['grpc-status']).toBe(grpcStatus);
    expect(headers[':status']).toBe(grpcStatus ? 200 : 415);
  });

  it('stop waits for calls that are under way', async () => {
    const committed = gate();
    const add = vi.spyOn(fixture.sink, 'add').mockReturnValue(committed.passed);
    const reply = send(paths.logs, oneLog);
    await expect.poll(() => add.mock.calls.length).toBeGreaterThan(0);
    const stopped = server.stop();
    committed.open();
    expect((await reply).length).toBe(0);
    await stopped;
  });
});
