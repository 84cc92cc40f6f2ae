import { request } from 'node:http';
import { connect } from 'node:net';
import { Type } from 'typebox';
import { afterEach, describe, expect, it } from 'vitest';
import { operation } from '../../src/http/operation.ts';
import { TestApi } from '../../src/http/testing.ts';

let aborted: boolean | undefined;
let begun: (() => void) | undefined;

const waitForAbort = operation({
  id: 'wait',
  method: 'GET',
  path: '/wait',
  flavours: ['selfHosted'],
  summary: 'Waits until the client is gone.',
  tag: 'Test',
  role: 'read',
  answer: { kind: 'one' },
  errors: [],
  handle: async ({ signal }) => {
    begun?.();
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    aborted = signal.aborted;
    return { kind: 'data', data: {} };
  },
});

const takeSmall = operation({
  id: 'take',
  method: 'POST',
  path: '/take',
  flavours: ['selfHosted'],
  summary: 'Takes a small body.',
  tag: 'Test',
  role: 'read',
  body: Type.Object({}),
  bodyBytesMax: 1000,
  answer: { kind: 'one' },
  errors: [],
  handle: async () => ({ kind: 'data', data: {} }),
});

let api: TestApi | undefined;
afterEach(async () => {
  await api?.server.close();
  api = undefined;
  aborted = undefined;
});

async function listen(): Promise<number> {
  api = new TestApi('selfHosted', [waitForAbort, takeSmall]);
  const origin = await api.server.listen({ port: 0, host: '127.0.0.1' });
  return Number(new URL(origin).port);
}

describe('on a real connection', () => {
  it('decisions C6: a client that hangs up aborts the operation’s signal', async () => {
    const port = await listen();
    const started = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const socket = connect(port, '127.0.0.1');
    socket.write('GET /api/v2/wait HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer admin\r\n\r\n');
    await started;
    socket.destroy();
    await expect.poll(() => aborted).toBe(true);
  });

  it('what is no HTTP is answered in the flavour’s error shape', async () => {
    const port = await listen();
    const socket = connect(port, '127.0.0.1');
    socket.end('nonsense\r\n\r\n');
    let answer = '';
    for await (const chunk of socket) answer += chunk;
    expect(answer).toContain('HTTP/1.1 400 Bad Request');
    expect(answer).toMatch(/\{"message":"[^"]+"\}$/);
  });

  it('an address that is too long is 431 in the flavour’s error shape', async () => {
    const port = await listen();
    const socket = connect(port, '127.0.0.1');
    socket.end(`GET /api/v2/wait?x=${'y'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`);
    let answer = '';
    for await (const chunk of socket) answer += chunk;
    expect(answer).toContain('HTTP/1.1 431');
    expect(answer).toMatch(/\{"message":"[^"]+"\}$/);
  });

  it.each([
    ['announced', { 'content-length': '20000000' }, 413],
    ['in chunks', { 'transfer-encoding': 'chunked' }, 413],
    ['of another type', { 'content-type': 'text/plain', 'content-length': '20000000' }, 400],
    ['without a key', { authorization: '', 'content-length': '20000000' }, 401],
  ])('a client that reads only after it has sent 20 MB, %s, reads the rejection', async (_what, headers, status) => {
    const port = await listen();
    const common = { authorization: 'bearer admin', 'content-type': 'application/json' };
    const sent = request({ port, path: '/api/v2/take', method: 'POST', headers: { ...common, ...headers } });
    const answer = new Promise<number | undefined>((resolve, reject) => {
      sent.once('response', ({ statusCode }) => resolve(statusCode)).once('error', reject);
    });
    const chunk = Buffer.alloc(1_000_000, ' ');
    for (let count = 0; count < 20; count++) await new Promise((resolve) => sent.write(chunk, resolve));
    await new Promise<void>((resolve) => sent.end(resolve));
    const answered = await answer;
    sent.destroy();
    expect(answered).toBe(status);
  });

  it('an unknown path is 404 before its body is looked at', async () => {
    const port = await listen();
    const answer = await fetch(`http://127.0.0.1:${port}/api/v2/nothing`, {
      method: 'POST',
      headers: { authorization: 'bearer admin', 'content-type': 'application/json' },
      body: '{}',
    });
    expect([answer.status, await answer.json()]).toEqual([404, { message: 'There is no such path.' }]);
  });
});
