import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/kernel/clock.ts';
import { randomIds } from '../../../src/kernel/ids.ts';
import { TargetBlockedError } from '../../../src/kernel/target-blocked-error.ts';
import { guardedAgent } from '../../../src/notify/guarded-agent.ts';
import { SsrfGuard } from '../../../src/notify/target-guard.ts';
import { toQueryAppError } from '../../../src/resources/charts/reading/query-errors.ts';
import { ClickHouseClient } from '../../../src/telemetry/clickhouse-client.ts';
import { RoundRobinEndpoints } from '../../../src/telemetry/endpoints.ts';

let inside: Server;
let port = 0;
let reached = 0;
let answer: { status: number; headers?: Record<string, string> } = { status: 200 };

beforeAll(async () => {
  inside = createServer((request, response) => {
    reached++;
    request.resume();
    response.writeHead(answer.status, answer.headers).end('{}');
  });
  inside.listen(0, '127.0.0.1');
  await once(inside, 'listening');
  port = (inside.address() as AddressInfo).port;
});
afterAll(() => {
  inside.closeAllConnections();
  inside.close();
});
beforeEach(() => {
  reached = 0;
  answer = { status: 200 };
});

/** As the program connects to what users entered; the resolver answers in turn. */
async function ask(host: string, allowed: string[], ...resolved: string[]): Promise<unknown> {
  let asked = 0;
  const guard = new SsrfGuard(allowed, async () => [resolved[Math.min(asked++, resolved.length - 1)] ?? '']);
  const url = `http://${host}:${port}`;
  const client = new ClickHouseClient({
    endpoints: new RoundRobinEndpoints([{ url }]),
    agent: guardedAgent(guard, 2_000),
    clock: systemClock,
    ids: randomIds,
  });
  try {
    return (await guard.check(url)).ok ? await client.query('SELECT 1', { timeoutMs: 5_000 }) : 'refused at the check';
  } catch (error) {
    return error;
  } finally {
    await client.close();
  }
}

describe('connections of sources go where the guard has looked, and nowhere else', () => {
  it.each([1, 2, 3])('a name that is public when it is checked and loopback afterwards: time %i', async () => {
    const error = await ask('rebinding.example', [], '93.184.216.34', '127.0.0.1');
    expect(error).toBeInstanceOf(TargetBlockedError);
    expect(toQueryAppError(error)).toMatchObject({
      code: 'query_invalid',
      publicText: expect.stringMatching(/^The connection of this source may not be called: the host is/),
    });
    expect(reached).toBe(0);
  });

  it('the address that was looked at is the one that is called', async () => {
    await ask('listed.example', ['127.0.0.1'], '127.0.0.1');
    expect(reached).toBeGreaterThan(0);
  });

  it('an exception for another port is none', async () => {
    expect(await ask('listed.example', [`127.0.0.1:${port + 1}`], '127.0.0.1')).toBe('refused at the check');
    expect(await ask('127.0.0.1', [`127.0.0.1:${port + 1}`])).toBe('refused at the check');
    expect(reached).toBe(0);
    await ask('127.0.0.1', [`127.0.0.1:${port}`]);
    expect(reached).toBeGreaterThan(0);
  });

  it.each([301, 302, 303, 307, 308])('a redirect of status %i is not followed', async (status) => {
    answer = { status, headers: { location: `http://127.0.0.1:${port}/elsewhere` } };
    expect(await ask('127.0.0.1', ['127.0.0.1'])).toMatchObject({ kind: 'unreadable' });
    expect(reached).toBe(1);
  });
});
