import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../kernel/clock.ts';
import { randomIds } from '../kernel/ids.ts';
import { ClickHouseClient } from './clickhouse-client.ts';
import { RoundRobinEndpoints } from './endpoints.ts';
import { restrictionsStatement } from './permitted-settings.ts';

/** What a statement comes with that is not a setting. */
const notSettings = /^(query_id|wait_end_of_query|default_format|database|param_.*)$/;

type Rule = [name: string, value: string, min: string | null, max: string | null, readonly: 0 | 1];

/** The settings that a user of ClickHouse may not send, as its `readonly` and constraints have it. */
const users: Record<string, { rules: Rule[]; rejects: (settings: Map<string, string>) => number | undefined }> = {
  'readonly = 2': {
    rules: [['readonly', '2', null, null, 1]],
    rejects: (settings) => (settings.has('readonly') ? 164 : undefined),
  },
  'readonly = 1': {
    rules: ['readonly', 'max_execution_time', 'max_result_bytes', 'result_overflow_mode']
      .concat('cancel_http_readonly_queries_on_client_close', 'skip_unavailable_shards')
      .map((name): Rule => [name, name === 'readonly' ? '1' : '0', null, null, 1])
      .concat([
        ['session_timezone', 'UTC', null, null, 1],
        ['output_format_json_quote_64bit_integers', '0', null, null, 1],
        ['output_format_json_quote_denormals', '0', null, null, 1],
      ]),
    rejects: (settings) => (settings.size > 0 ? 164 : undefined),
  },
  'a constraint': {
    rules: [['max_execution_time', '1', null, '2', 0]],
    rejects: (settings) => (Number(settings.get('max_execution_time') ?? 0) > 2 ? 452 : undefined),
  },
};

let server: Server;
let user = '';
let requests = 0;
let client: ClickHouseClient;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    requests += 1;
    const search = new URL(request.url ?? '', 'http://x').searchParams;
    const settings = new Map([...search].filter(([name]) => !notSettings.test(name)));
    let sql = '';
    for await (const piece of request) sql += piece;
    const { rules = [], rejects } = users[user] ?? {};
    const code = rejects?.(settings);
    if (code !== undefined) {
      response.writeHead(500, { 'x-clickhouse-exception-code': String(code) }).end(`Code: ${code}.`);
      return;
    }
    const names = ['name', 'value', 'min', 'max', 'readonly'];
    const columns = sql === restrictionsStatement ? names.map((_, at) => rules.map((rule) => rule[at])) : [['a']];
    const answered = columns.length === 1 ? ['x'] : names;
    const data = Object.fromEntries(answered.map((name, at) => [name, columns[at]]));
    const meta = answered.map((name) => ({ name, type: 'String' }));
    const rows = columns[0]?.length ?? 0;
    response.end(JSON.stringify({ meta, data, rows, statistics: { elapsed: 0.1, rows_read: 1, bytes_read: 1 } }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const endpoints = new RoundRobinEndpoints([{ url }]);
  client = new ClickHouseClient({ endpoints, clock: systemClock, ids: randomIds });
});
afterAll(async () => {
  await client.close();
  server.close();
});

const ask = (settings: Record<string, string | number> = { session_timezone: 'UTC', max_execution_time: 30 }) =>
  client.query('SELECT x', { settings, timeoutMs: 30_000 });

describe('the user of a connection, restricted by', () => {
  it.each(Object.keys(users))('%s: its answers are read, and what it may send is asked for once', async (name) => {
    user = name;
    expect((await ask()).columns).toEqual([['a']]);
    requests = 0;
    expect((await ask()).columns).toEqual([['a']]);
    expect(requests).toBe(1);
  });

  it('readonly = 1, whose server has another format of times, cannot ask for what depends on it', async () => {
    user = 'readonly = 1';
    users[user]?.rules.push(['date_time_output_format', 'simple', null, null, 1]);
    await ask({ max_execution_time: 31, date_time_output_format: 'iso' }).catch(() => undefined);
    await expect(ask({ date_time_output_format: 'iso' })).rejects.toMatchObject({ kind: 'failed', engineCode: 164 });
  });
});
