import { once } from 'node:events';
import { connect } from 'node:net';
import { deflateSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { gate } from '../../test/support/gate.ts';
import { SinkFullError, TelemetryError } from '../telemetry/ports.ts';
import { OtlpHttpServer } from './otlp-http.ts';
import { collectorFixture, ingestionKey } from './testing/collector-fixture.ts';
import { decodeReply, encodeRequest } from './testing/otlp-oracle.ts';

const oneLog = { resourceLogs: [{ scopeLogs: [{ logRecords: [{ body: { stringValue: 'hello' } }] }] }] };
const badSpan = { resourceSpans: [{ scopeSpans: [{ spans: [{ name: 'no ids' }] }] }] };
const protobuf = 'application/x-protobuf';
const limits = { receivedBytesMax: 20_000, inflatedBytesMax: 100_000 };

let fixture: ReturnType<typeof collectorFixture>;
let server: OtlpHttpServer;
let url: string;
let port: number;

beforeEach(async () => {
  fixture = collectorFixture();
  server = new OtlpHttpServer({ ...fixture.options, limits });
  ({ address: url, port } = await server.start());
});
afterEach(() => server.stop());

function post(path: string, body: string | Buffer, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url + path, {
    method: 'POST',
    body: typeof body === 'string' ? body : new Uint8Array(body),
    headers: { authorization: `Bearer ${ingestionKey}`, 'content-type': 'application/json', ...headers },
  });
}

describe('what is accepted', () => {
  it.each([
    ['JSON', JSON.stringify(oneLog), { 'content-type': 'application/json; charset=utf-8' }],
    ['protobuf', encodeRequest('logs', oneLog), { 'content-type': protobuf }],
    ['JSON in gzip', gzipSync(JSON.stringify(oneLog)), { 'content-encoding': 'gzip' }],
    [
      'protobuf in gzip',
      gzipSync(encodeRequest('logs', oneLog)),
      { 'content-type': protobuf, 'content-encoding': 'gzip' },
    ],
    ['JSON in deflate', deflateSync(JSON.stringify(oneLog)), { 'content-encoding': 'deflate' }],
    ['JSON in x-gzip', gzipSync(JSON.stringify(oneLog)), { 'content-encoding': 'identity, x-gzip' }],
    ['protobuf by its registered name', encodeRequest('logs', oneLog), { 'content-type': 'application/protobuf' }],
    ['the bare key (interface: `Authorization: <key>`)', JSON.stringify(oneLog), { authorization: ingestionKey }],
  ])('%s', async (_, body, headers) => {
    const response = await post('/v1/logs', body, headers);
    expect(response.status).toBe(200);
    expect(fixture.storedRows()).toMatchObject({ otel_logs: [{ Body: 'hello' }] });
    expect(fixture.sink.added[0]?.database).toBe('otel_team');
    expect(fixture.metrics.counts).toEqual({ 'stored logs': 1 });
  });

  it('is answered in the request’s encoding, empty on full success', async () => {
    expect(await (await post('/v1/logs', JSON.stringify(oneLog))).text()).toBe('{}');
    const reply = await post('/v1/logs', encodeRequest('logs', oneLog), { 'content-type': protobuf });
    expect(reply.headers.get('content-type')).toBe(protobuf);
    expect((await reply.arrayBuffer()).byteLength).toBe(0);
  });

  it('counts records whose senders have a wrong clock', async () => {
    const logRecords = [{}, { timeUnixNano: '18446744073709551615' }];
    await post('/v1/logs', JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] }));
    expect(fixture.metrics.counts).toEqual({ 'stored logs': 1, 'rejected logs': 1, 'ahead logs': 1 });
  });

  it('is answered only when the sink has committed it', async () => {
    const committed = gate();
    const add = vi.spyOn(fixture.sink, 'add').mockReturnValue(committed.passed);
    let answered = false;
    const response = post('/v1/logs', JSON.stringify(oneLog)).then((reply) => {
      answered = true;
      return reply;
    });
    await expect.poll(() => add.mock.calls.length).toBeGreaterThan(0);
    expect(answered).toBe(false);
    committed.open();
    expect((await response).status).toBe(200);
  });

  it('may be partial: what was rejected is counted and explained', async () => {
    const message = '1 × a trace id has 16 bytes that are not all zero';
    const json = await post('/v1/traces', JSON.stringify(badSpan));
    expect(json.status).toBe(200);
    expect(await json.json()).toEqual({ partialSuccess: { rejectedSpans: '1', errorMessage: message } });
    const reply = await post('/v1/traces', encodeRequest('traces', badSpan), { 'content-type': protobuf });
    const decoded = decodeReply('traces', new Uint8Array(await reply.arrayBuffer()));
    expect(JSON.parse(JSON.stringify(decoded))).toMatchObject({ partialSuccess: { errorMessage: message } });
    expect(fixture.sink.added).toEqual([]);
  });
});

describe('what is refused', () => {
  it.each([
    ['no key', { authorization: '' }],
    ['another kind of key', { authorization: 'Bearer personal-key' }],
  ])('%s: 401, before the body is read', async (_, headers) => {
    const response = await post('/v1/logs', 'not even JSON', headers);
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ code: 16, message: expect.stringContaining('ingestion key') });
    expect(fixture.metrics.counts).toEqual({ 'refused logs unauthenticated': 1 });
  });

  it.each([
    ['JSON that is none', 'POST', '/v1/logs', '{', {}, 400],
    ['protobuf that is none', 'POST', '/v1/logs', '\n\u0005x', { 'content-type': protobuf }, 400],
    ['gzip that is none', 'POST', '/v1/logs', '{}', { 'content-encoding': 'gzip' }, 400],
    ['another content type', 'POST', '/v1/logs', 'x', { 'content-type': 'text/plain' }, 415],
    ['another content encoding', 'POST', '/v1/logs', 'x', { 'content-encoding': 'br' }, 415],
    ['another path', 'POST', '/v1/profiles', '{}', {}, 404],
    ['another method', 'PUT', '/v1/logs', '{}', {}, 404],
    ['too much', 'POST', '/v1/logs', ' '.repeat(20_001), {}, 413],
    ['a compression that is not taken', 'POST', '/v1/logs', 'x', { 'content-encoding': 'br' }, 415],
    ['a zip bomb', 'POST', '/v1/logs', gzipSync(' '.repeat(100_001)), { 'content-encoding': 'gzip' }, 413],
  ])('%s', async (_, method, path, body, headers, status) => {
    const response = await fetch(url + path, {
      method,
      body: typeof body === 'string' ? body : new Uint8Array(body),
      headers: { authorization: ingestionKey, 'content-type': 'application/json', ...headers },
    });
    expect(response.status).toBe(status);
    expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(0);
    expect(fixture.sink.added).toEqual([]);
    const reason = status === 413 ? 'tooLarge' : 'malformed';
    expect(fixture.metrics.counts).toEqual(status === 404 ? {} : { [`refused logs ${reason}`]: 1 });
  });

  it('bodies that exceed the budget: 429, and room again once they are answered', async () => {
    const room = fixture.budget.hold('others');
    room.grow(1 << 20);
    const refused = await post('/v1/logs', JSON.stringify(oneLog));
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    room.release();
    expect((await post('/v1/logs', JSON.stringify(oneLog))).status).toBe(200);
    expect(fixture.budget.total).toBe(0);
  });

  it('a body that grows beyond the limit without having said so: 413', async () => {
    const endless = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(4096)) });
    const request = { method: 'POST', body: endless, duplex: 'half' as const };
    const headers = { authorization: ingestionKey, 'content-type': protobuf };
    const outcome = await fetch(`${url}/v1/logs`, { ...request, headers }).then(
      (response) => response.status,
      () => 'cut off',
    );
    expect([413, 'cut off']).toContain(outcome);
    expect(fixture.metrics.counts).toEqual({ 'refused logs tooLarge': 1 });
  });

  it.each([
    ['full buffers', new SinkFullError(), 429, '1', 'busy'],
    ['an engine that restarts', new TelemetryError('unavailable', 'socket /tmp/x closed'), 503, '2', 'not available'],
    ['an engine that fails', new TelemetryError('failed', 'Code: 60 secret'), 503, '5', 'could not be stored'],
    ['an unexpected error', new RangeError('secret stack'), 503, '5', 'could not be stored'],
  ])('%s: the sender hears whether to try again, and no detail', async (_, error, status, retryAfter, message) => {
    fixture.sink.failWith = error;
    const response = await post('/v1/logs', JSON.stringify(oneLog));
    expect(response.status).toBe(status);
    expect(response.headers.get('retry-after')).toBe(retryAfter);
    const text = await response.text();
    expect(text).toContain(message);
    expect(text).not.toMatch(/secret|socket|tmp/);
    expect(fixture.metrics.counts).not.toHaveProperty(['stored logs']);
  });

  it('an error comes as google.rpc.Status in protobuf for a protobuf request', async () => {
    fixture.sink.failWith = new SinkFullError();
    const response = await post('/v1/logs', encodeRequest('logs', oneLog), { 'content-type': protobuf });
    expect(response.headers.get('content-type')).toBe(protobuf);
    const status = Buffer.from(await response.arrayBuffer());
    expect(status.subarray(0, 3)).toEqual(Buffer.from([0x08, 8, 0x12]));
    expect(status.includes('google.rpc.RetryInfo')).toBe(true);
  });
});

describe('around it', () => {
  it.each(['/', '/health'])('GET %s says that it is up', async (path) => {
    expect((await fetch(url + path)).status).toBe(200);
  });

  it('browsers may send from any page', async () => {
    const headers = { origin: 'https://shop.example', 'access-control-request-headers': 'authorization,x-custom' };
    const preflight = await fetch(`${url}/v1/traces`, { method: 'OPTIONS', headers });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe('https://shop.example');
    expect(preflight.headers.get('access-control-allow-credentials')).toBe('true');
    expect(preflight.headers.get('vary')).toContain('Origin');
    expect(preflight.headers.get('access-control-allow-headers')).toBe('authorization,x-custom');
    const answer = await post('/v1/logs', '{}');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('access-control-expose-headers')).toBe('Retry-After');
  });

  it('a sender that disconnects mid-request stores nothing and affects no other', async () => {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write(
      `POST /v1/logs HTTP/1.1\r\nHost: x\r\nAuthorization: ${ingestionKey}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
    );
    socket.destroy();
    await once(socket, 'close');
    expect((await post('/v1/logs', JSON.stringify(oneLog))).status).toBe(200);
    expect(fixture.sink.rows()).toEqual({ otel_logs: 1 });
    expect(fixture.logger.lines).toEqual([]);
  });

  it('stop waits for requests that are under way', async () => {
    const committed = gate();
    const add = vi.spyOn(fixture.sink, 'add').mockReturnValue(committed.passed);
    const response = post('/v1/logs', JSON.stringify(oneLog));
    await expect.poll(() => add.mock.calls.length).toBeGreaterThan(0);
    const stopped = server.stop();
    committed.open();
    expect((await response).status).toBe(200);
    await stopped;
    await expect(post('/v1/logs', '{}')).rejects.toThrow();
  });
});
