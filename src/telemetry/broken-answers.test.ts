import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../kernel/clock.ts';
import { randomIds } from '../kernel/ids.ts';
import { ClickHouseClient } from './clickhouse-client.ts';
import { RoundRobinEndpoints } from './endpoints.ts';
import { answerBytesMax } from './read-answer.ts';

const good = {
  meta: [{ name: 'x', type: 'String' }],
  data: { x: ['a'] },
  rows: 1,
  statistics: { elapsed: 0.1, rows_read: 1, bytes_read: 1 },
};
const text = JSON.stringify(good);

type Behaviour = (response: ServerResponse) => void;
let behaviour: Behaviour = (response) => response.end(text);
let sentBytes = 0;
let server: Server;
let client: ClickHouseClient;

beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume();
    behaviour(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  client = new ClickHouseClient({ endpoints: new RoundRobinEndpoints([{ url }]), clock: systemClock, ids: randomIds });
});
afterAll(async () => {
  await client.close();
  server.closeAllConnections();
  server.close();
});

const ask = (how: Behaviour) => {
  behaviour = how;
  return client.query('SELECT 1', { timeoutMs: 20_000 });
};

const endless: Behaviour = (response) => {
  sentBytes = 0;
  const piece = Buffer.alloc(256 * 1024, 'x');
  const more = () => {
    if (response.destroyed) return;
    sentBytes += piece.byteLength;
    if (response.write(piece)) setImmediate(more);
    else response.once('drain', more);
  };
  more();
};

describe('what a connected database may answer', () => {
  it('a right answer is read', async () => {
    expect((await ask((response) => response.end(text))).columns).toEqual([['a']]);
  });

  it.each([
    ['a page', '<!doctype html><title>Sign in</title>'],
    ['null', 'null'],
    ['nothing', ''],
    ['half of an answer', text.slice(0, text.length / 2)],
    ['a list', '[]'],
    ['a text', '"x"'],
    ['no columns', JSON.stringify({ ...good, meta: undefined })],
    ['columns that are none', JSON.stringify({ ...good, meta: [null] })],
    ['values that are none', JSON.stringify({ ...good, data: null })],
    ['a column that is short', JSON.stringify({ ...good, data: { x: [] } })],
    ['a column that is missing', JSON.stringify({ ...good, data: {} })],
    ['a column that is no list', JSON.stringify({ ...good, data: { x: 'a' } })],
    ['no statistics', JSON.stringify({ ...good, statistics: null })],
    ['rows in words', JSON.stringify({ ...good, rows: 'one' })],
    ['another format', JSON.stringify({ data: [{ x: 'a' }], rows: 1 })],
  ])('%s is unreadable, and reported as such', async (_what, answer) => {
    await expect(ask((response) => response.end(answer))).rejects.toMatchObject({ kind: 'unreadable' });
  });

  it.each([301, 302, 401, 404, 418, 500])('status %i with a page is unreadable, and not followed', async (status) => {
    const asked = ask((response) => response.writeHead(status, { location: '/elsewhere' }).end('<html>'));
    await expect(asked).rejects.toMatchObject({ kind: 'unreadable' });
  });

  it('an error behind half of an answer is that error', async () => {
    const answer = `${text.slice(0, 20)}\nCode: 241. DB::Exception: Memory limit exceeded\n`;
    await expect(ask((response) => response.end(answer))).rejects.toMatchObject({ kind: 'limit', engineCode: 241 });
  });

  it('an answer that is cut off is unavailable', async () => {
    const cut: Behaviour = (response) => {
      response.writeHead(200, { 'content-length': 1_000 });
      response.write(text, () => response.destroy());
    };
    await expect(ask(cut)).rejects.toMatchObject({ kind: 'unavailable' });
  });

  it.each([200, 500])('an endless answer of status %i is hung up on', async (status) => {
    const asked = ask((response) => endless(response.writeHead(status)));
    await expect(asked).rejects.toMatchObject({ kind: 'limit', engineCode: 396 });
    // What is in the buffers of both ends may come on top.
    expect(sentBytes).toBeLessThan(answerBytesMax * 2);
  });
});

it.each([
  [
    'a shard rejects it',
    'Code: 60. DB::Exception: Received from 10.0.0.1:9000. DB::Exception: Unknown table.',
    'unavailable',
  ],
  ['it breaks on its way to a shard', 'Code: 49. DB::Exception: x: Insertion status: Wrote 1 blocks', 'unavailable'],
  ['the server itself rejects it', 'Code: 60. DB::Exception: Unknown table.', 'failed'],
])('an insert may be stored in part when %s', async (_, message, kind) => {
  behaviour = (response) => response.writeHead(500).end(message);
  const insert = { database: 'otel', table: 'otel_logs', blocks: [Buffer.from('x')], token: 'x' } as const;
  await expect(client.insert(insert)).rejects.toMatchObject({ kind });
});
