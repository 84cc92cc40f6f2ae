import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { MockAgent } from 'undici';
import { afterEach, describe, expect, it } from 'vitest';
import { loopbackSpellings } from '../../test/support/loopback-spellings.ts';
import { type Reply, ScriptedReceiver } from '../../test/support/scripted-receiver.ts';
import { FakeClock } from '../kernel/fake-clock.ts';
import { parseTraceparent } from '../kernel/traceparent.ts';
import type { FinishedSpan, Tracer } from '../kernel/tracer.ts';
import { RandomSpanIds } from '../self-telemetry/span-ids.ts';
import { SpanTracer } from '../self-telemetry/span-tracer.ts';
import { guardedAgent } from './guarded-agent.ts';
import { ProxyRoutes } from './proxy-routes.ts';
import { SsrfGuard } from './target-guard.ts';
import { parseRetryAfter, type WebhookRequest, WebhookSender } from './webhook-sender.ts';

const closes: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closes.splice(0)) await close();
});

interface World {
  receiver: ScriptedReceiver;
  clock: FakeClock;
  send(parts?: Partial<WebhookRequest>): ReturnType<WebhookSender['send']>;
  url: string;
}

async function world(
  script: readonly Reply[] = [],
  allowed: readonly string[] = ['127.0.0.1'],
  tracer?: Tracer,
): Promise<World> {
  const receiver = new ScriptedReceiver(script);
  const url = await receiver.start();
  const clock = new FakeClock();
  const dispatcher = guardedAgent(new SsrfGuard(allowed), 5_000);
  closes.push(
    () => dispatcher.destroy(),
    () => receiver.stop(),
  );
  const sender = new WebhookSender({ dispatcher, clock, timeoutMs: 30_000, ...(tracer && { tracer }) });
  const request = { url, headers: {}, queryParams: {}, body: '{"a":1}', idempotencyKey: 'key-1' };
  return { receiver, clock, url, send: (parts) => sender.send({ ...request, ...parts }) };
}

describe('a message on the wire', () => {
  it('U-40: POST with own headers and query parameters, JSON by default, Idempotency-Key', async () => {
    const { receiver, send, url } = await world();
    const outcome = await send({ url: `${url}?a=1`, headers: { 'X-Env': 'prod' }, queryParams: { token: 'ä b' } });
    expect(outcome).toEqual({ kind: 'delivered', status: 200 });
    expect(receiver.received).toMatchObject([
      {
        url: '/hook?a=1&token=%C3%A4+b',
        body: '{"a":1}',
        headers: { 'x-env': 'prod', 'content-type': 'application/json', 'idempotency-key': 'key-1' },
      },
    ]);
  });

  it('names itself as a span of the evaluation it is a part of; a webhook may name another', async () => {
    const spans: FinishedSpan[] = [];
    const tracer = new SpanTracer({ clock: new FakeClock(), ids: new RandomSpanIds() });
    tracer.recordTo((span) => void spans.push(span));
    const { receiver, send } = await world([{ status: 503 }], ['127.0.0.1'], tracer);
    const parent = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) };
    await send({ parent });
    const [span] = spans;
    expect(span).toMatchObject({ traceId: parent.traceId, parentSpanId: parent.spanId, failed: true });
    expect(span?.attributes).toEqual({ 'http.request.method': 'POST', 'http.response.status_code': 503 });
    const sent = parseTraceparent(receiver.received[0]?.headers.traceparent);
    expect(sent).toEqual({ traceId: parent.traceId, spanId: span?.spanId });
    await send({ parent, headers: { Traceparent: 'its own' } });
    expect(receiver.received[1]?.headers.traceparent).toBe('its own');
  });

  it('names no span where the program reports nothing about itself', async () => {
    const { receiver, send } = await world();
    await send({ parent: { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) } });
    expect(receiver.received[0]?.headers).not.toHaveProperty('traceparent');
  });

  it('a webhook may set its content type, but nothing that belongs to the connection', async () => {
    const { receiver, send } = await world();
    const headers = { 'Content-Type': 'text/plain', 'Transfer-Encoding': 'chunked', 'Content-Length': '1' };
    expect((await send({ headers })).kind).toBe('delivered');
    expect(receiver.received[0]).toMatchObject({ body: '{"a":1}', headers: { 'content-type': 'text/plain' } });
  });

  it('U-108: the check of docs/webhooks.md accepts our signature and nothing else', async () => {
    const page = readFileSync(new URL('../../docs/webhooks.md', import.meta.url), 'utf8');
    const [, code = ''] = /```js\n(import \{ createHmac.*?)```/s.exec(page) ?? [];
    const { isFromSignalbox } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
    const { receiver, send, clock } = await world();
    await clock.advance(Date.now() - clock.nowMs());
    await send({ signingSecret: 'k' });
    const [received] = receiver.received;
    if (!received) throw new Error('nothing was received');
    const { headers, body } = received;
    expect(isFromSignalbox('k', headers, body)).toBe(true);
    expect(isFromSignalbox('other', headers, body)).toBe(false);
    expect(isFromSignalbox('k', headers, `${body} `)).toBe(false);
    expect(isFromSignalbox('k', {}, body)).toBe(false);
    const old = { ...headers, 'x-signalbox-timestamp': String(Number(headers['x-signalbox-timestamp']) - 600) };
    expect(isFromSignalbox('k', old, body)).toBe(false);
  });

  it('U-108: signed over time and raw body when there is a secret, else not', async () => {
    const { receiver, send } = await world();
    await send({ signingSecret: 'k' });
    await send();
    const [signed, plain] = receiver.received;
    const timestamp = String(signed?.headers['x-signalbox-timestamp']);
    const expected = createHmac('sha256', 'k').update(`${timestamp}.${signed?.body}`).digest('hex');
    expect(signed?.headers['x-signalbox-signature']).toBe(`sha256=${expected}`);
    expect(plain?.headers['x-signalbox-signature']).toBeUndefined();
  });
});

describe('what an answer means (decisions A8)', () => {
  it.each([
    [200, 'delivered', undefined],
    [202, 'delivered', undefined],
    [400, 'failed', false],
    [401, 'failed', false],
    [404, 'failed', false],
    [408, 'failed', true],
    [429, 'failed', true],
    [500, 'failed', true],
    [503, 'failed', true],
  ] as const)('%i → %s, recoverable: %s', async (status, kind, recoverable) => {
    const { send } = await world([{ status }]);
    expect(await send()).toMatchObject({ kind, status, ...(recoverable !== undefined && { recoverable }) });
  });

  it('429 with Retry-After says how long to wait', async () => {
    const { send } = await world([{ status: 429, headers: { 'retry-after': '7' } }]);
    expect(await send()).toMatchObject({ recoverable: true, retryAfterMs: 7_000 });
  });

  it.each([301, 302, 303, 307, 308])('U-45: redirect %i is not followed', async (status) => {
    const elsewhere = await world();
    const { send } = await world([{ status, headers: { location: elsewhere.url } }]);
    expect(await send()).toMatchObject({ kind: 'failed', recoverable: false, status });
    expect(elsewhere.receiver.received).toEqual([]);
  });

  it('a receiver that never answers times out and is retried', async () => {
    const { receiver, clock, send } = await world(['hang']);
    const sending = send();
    await expect.poll(() => receiver.received.length).toBe(1);
    await clock.advance(30_000);
    expect(await sending).toMatchObject({ kind: 'failed', recoverable: true });
  });

  it('a refused connection is retried, and the error names no address', async () => {
    const { receiver, send, url } = await world();
    await receiver.stop();
    const outcome = await send({ url });
    expect(outcome).toMatchObject({ kind: 'failed', recoverable: true, error: 'The receiver refused the connection.' });
  });

  it('an endless answer is cut off', async () => {
    const { send } = await world([{ status: 200, body: 'x'.repeat(5_000_000) }]);
    expect((await send()).kind).toBe('delivered');
  });
});

/** Sends this head immediately; the rest is up to `after`. */
async function rawReceiver(status: number, after: (socket: Socket) => void): Promise<string> {
  const server = createTcpServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => {
      socket.write(`HTTP/1.1 ${status} X\r\nRetry-After: 7\r\nTransfer-Encoding: chunked\r\n\r\n`);
      after(socket);
    });
    closes.push(async () => socket.destroy());
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  closes.push(() => new Promise((done) => server.close(done)));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
}

describe('only the status counts: an answer that', () => {
  const bodies: [string, (socket: Socket) => void][] = [
    ['never ends', (socket) => void socket.write('2\r\nok\r\n')],
    ['never begins', () => {}],
    ['breaks off', (socket) => void socket.end('5\r\nok')],
    ['is no chunk', (socket) => void socket.write('zz\r\n')],
    [
      'goes on for ever',
      (socket) => {
        const more = () => {
          while (!socket.destroyed && socket.write(`1000\r\n${'x'.repeat(4096)}\r\n`));
        };
        socket.on('drain', more);
        more();
      },
    ],
  ];

  it.each(bodies.flatMap(([title, after]) => [200, 202, 503, 400].map((status) => ({ title, after, status }))))(
    '$title: $status',
    async ({ after, status }) => {
      const { send, clock } = await world();
      const url = await rawReceiver(status, after);
      const sending = send({ url });
      let isSent = false;
      void sending.finally(() => {
        isSent = true;
      });
      // The clock of the sender advances until it is done with the response.
      while (!isSent) await clock.advance(500);
      const ok = status < 300;
      expect(await sending).toMatchObject({ kind: ok ? 'delivered' : 'failed', status });
    },
  );
});

describe('through the proxies of the operator', () => {
  async function proxy(): Promise<{ url: URL; seen: string[] }> {
    const seen: string[] = [];
    const server = createServer((request, response) => {
      seen.push(`${request.method} ${request.url}`);
      request.resume();
      response.writeHead(200).end('by the proxy');
    });
    server.on('connect', (request, socket) => {
      seen.push(`CONNECT ${request.url}`);
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    closes.push(() => new Promise((done) => server.close(done)));
    return { url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`), seen };
  }

  async function through(target: string, { direct = [], addresses }: { direct?: string[]; addresses?: string[] } = {}) {
    const { url, seen } = await proxy();
    const guard = new SsrfGuard([], async () => {
      if (!addresses) throw new Error('ENOTFOUND');
      return addresses;
    });
    const dispatcher = guardedAgent(guard, 5_000);
    const proxies = new ProxyRoutes({ http: url, https: url, direct }, guard, 5_000);
    closes.push(
      () => dispatcher.destroy(),
      () => proxies.destroy(),
    );
    const sender = new WebhookSender({ dispatcher, proxies, clock: new FakeClock(), timeoutMs: 30_000 });
    const outcome = await sender.send({ url: target, headers: {}, queryParams: {}, body: '{}', idempotencyKey: 'k' });
    return { outcome, seen };
  }

  it.each([
    ['http://hooks.example/x', { addresses: ['93.184.216.34'] }, ['POST http://hooks.example/x']],
    ['https://hooks.example/x', { addresses: ['93.184.216.34'] }, ['CONNECT hooks.example:443']],
    ['http://only-the-proxy-knows.example/x', {}, ['POST http://only-the-proxy-knows.example/x']],
    ['http://internal.example/x', { addresses: ['10.0.0.7'] }, []],
    ['http://169.254.169.254/latest', {}, []],
    ['http://[::1]:9/x', {}, []],
    ['http://a.direct.example/x', { direct: ['.direct.example'] }, []],
    ['http://direct.example:8080/x', { direct: ['direct.example:80'] }, ['POST http://direct.example:8080/x']],
    ['http://notdirect.example/x', { direct: ['direct.example'] }, ['POST http://notdirect.example/x']],
    ['http://any.example/x', { direct: ['*'] }, []],
    ['http://8.8.8.8/x', { direct: ['10.0.0.0/8'] }, ['POST http://8.8.8.8/x']],
  ])('%s with %j', async (target, options, expected) => {
    const { outcome, seen } = await through(target, options);
    expect(seen).toEqual(expected);
    if (expected[0]?.startsWith('POST')) expect(outcome).toEqual({ kind: 'delivered', status: 200 });
    else expect(outcome.kind).toBe('failed');
  });
});

describe('a certificate that is not trusted', () => {
  it.each([
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed'],
    ['CERT_HAS_EXPIRED', 'expired'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'a different host name'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'authority is unknown'],
  ])('%s is named', async (code, words) => {
    const dispatcher = new MockAgent();
    dispatcher.disableNetConnect();
    const problem = Object.assign(new Error('secret.internal'), { code });
    dispatcher.get('https://hooks.example').intercept({ path: '/x', method: 'POST' }).replyWithError(problem);
    const sender = new WebhookSender({ dispatcher, clock: new FakeClock(), timeoutMs: 30_000 });
    const url = 'https://hooks.example/x';
    const outcome = await sender.send({ url, headers: {}, queryParams: {}, body: '{}', idempotencyKey: 'k' });
    expect(outcome).toMatchObject({ kind: 'failed', recoverable: true });
    expect('error' in outcome && outcome.error).toMatch(
      new RegExp(`^The certificate of the receiver is not trusted: .*${words}`),
    );
  });
});

describe('decisions A9: the guard checks every connection', () => {
  it.each(loopbackSpellings)('%s is not reached', async (spelling) => {
    const { receiver, send, url } = await world([], []);
    const target = spelling.replace(/\/$/, `:${new URL(url).port}/`);
    expect(await send({ url: target })).toMatchObject({ kind: 'failed', recoverable: false });
    expect(receiver.received).toEqual([]);
  });

  it('an allowed host is reached in whatever spelling', async () => {
    const { receiver, send, url } = await world();
    await send({ url: url.replace('127.0.0.1', '2130706433') });
    expect(receiver.received).toHaveLength(1);
  });

  it('connects to the address that was checked, although the name would now lead elsewhere', async () => {
    const receiver = new ScriptedReceiver();
    const url = await receiver.start();
    let asked = 0;
    const guard = new SsrfGuard(['127.0.0.0/8'], async () => [asked++ === 0 ? '127.0.0.1' : '10.0.0.5']);
    const dispatcher = guardedAgent(guard, 5_000);
    closes.push(
      () => dispatcher.destroy(),
      () => receiver.stop(),
    );
    const sender = new WebhookSender({ dispatcher, clock: new FakeClock(), timeoutMs: 30_000 });
    const request = { url: url.replace('127.0.0.1', 'rebind.example'), headers: {}, queryParams: {}, body: '' };
    expect((await sender.send({ ...request, idempotencyKey: 'k' })).kind).toBe('delivered');
    expect(await sender.send({ ...request, idempotencyKey: 'k' })).toMatchObject({
      kind: 'failed',
      recoverable: false,
    });
    expect(asked).toBe(2);
  });
});

it('Retry-After is seconds or a date', () => {
  const nowMs = Date.UTC(2026, 0, 1);
  expect(parseRetryAfter('120', nowMs)).toBe(120_000);
  expect(parseRetryAfter(new Date(nowMs + 5_000).toUTCString(), nowMs)).toBe(5_000);
  expect(parseRetryAfter(new Date(nowMs - 5_000).toUTCString(), nowMs)).toBe(0);
  expect(parseRetryAfter('soon', nowMs)).toBeUndefined();
});
