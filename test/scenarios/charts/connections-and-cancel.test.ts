import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/kernel/clock.ts';
import { ChartReader } from '../../../src/resources/charts/answer/chart-reader.ts';
import { ChartService } from '../../../src/resources/charts/answer/chart-service.ts';
import { UnseenAttributes } from '../../../src/resources/charts/reading/unseen-attributes.ts';
import { type QueryResult, TelemetryError } from '../../../src/telemetry/ports.ts';
import { FakeQueryRunner } from '../../../src/telemetry/testing.ts';
import { ChartApi, hourMs, limits, noIntervals, t0, tenant } from './chart-api.ts';

const columns = new Map([
  ['Timestamp', 'DateTime64(9)'],
  ['Body', 'String'],
]);
const schemas = { describe: async (database: string, table: string) => ({ database, table, columns }) };
const empty: QueryResult = { names: [], types: [], columns: [], rows: 0, rowsRead: 0, bytesRead: 0, elapsedMs: 0 };
const bodyOf = (...sourceIds: string[]) => ({
  startTime: t0,
  endTime: t0 + hourMs,
  series: sourceIds.map((sourceId) => ({ sourceId, aggFn: 'count' as const, where: '', groupBy: [] })),
});

describe('sources on a connection that a user made', () => {
  it('are read from that endpoint, in the database that they name; the program’s store is not asked', async () => {
    const store = new FakeQueryRunner();
    const remote = new FakeQueryRunner(() => empty);
    const opened: string[] = [];
    const api = await ChartApi.over(
      { runner: store, schemas },
      {
        remote: {
          open: async ({ host }) => {
            opened.push(host);
            return { runner: remote, schemas };
          },
        },
      },
    );
    const times = { createdAt: '', updatedAt: '' };
    const connection = { id: 'c1', name: 'c', host: 'http://ch:8123', username: '', builtIn: false, ...times };
    await api.parts.connections.insert(tenant.id, connection);
    const own = await api.parts.sources.find(tenant.id, await api.sourceId('log'));
    if (own?.kind !== 'log') throw new Error('no log source');
    const from = { databaseName: 'theirs', tableName: 'logs' };
    await api.parts.sources.insert(tenant.id, { ...own, id: 's1', connection: 'c1', from });
    await api.chart(bodyOf('s1'));
    expect([opened, store.runs.length]).toEqual([['http://ch:8123'], 0]);
    expect(remote.runs[0]?.query.sql).toMatch(/theirs/);
  });

  it('a source whose connection is gone: 404 in both keys', async () => {
    const api = await ChartApi.over({ runner: new FakeQueryRunner(), schemas });
    const own = await api.parts.sources.find(tenant.id, await api.sourceId('log'));
    if (!own) throw new Error('no log source');
    await api.parts.sources.insert(tenant.id, { ...own, id: 's1', connection: 'gone' });
    expect(await api.rejection(bodyOf('s1'))).toEqual([404, 'The connection of the source "Logs" no longer exists.']);
  });
});

describe('cancelling (decisions C6)', () => {
  /** A query that never ends unless cancelled. */
  const untilAborted = (signal: AbortSignal | undefined) =>
    new Promise<QueryResult>((_, reject) => {
      signal?.addEventListener('abort', () => reject(new TelemetryError('cancelled', 'the caller cancelled')));
    });

  async function service(runner: FakeQueryRunner) {
    const api = await ChartApi.over({ runner, schemas });
    const charts = new ChartService(
      new ChartReader({
        sources: api.parts.readable,
        runner: api.parts.runner,
        unseen: new UnseenAttributes(systemClock),
      }),
      noIntervals,
      limits.resultRowsMax,
    );
    return { api, charts };
  }

  it('U-99: a client that hangs up cancels the query', async () => {
    const runner = new FakeQueryRunner((_, { signal }) => untilAborted(signal));
    const { api, charts } = await service(runner);
    const client = new AbortController();
    const answer = charts.query(tenant.id, bodyOf(await api.sourceId('log')), client.signal);
    const refused = expect(answer).rejects.toMatchObject({ code: 'engine_unavailable' });
    await expect.poll(() => runner.runs.length).toBe(1);
    expect(runner.runs[0]?.options.signal?.aborted).toBe(false);
    client.abort();
    await refused;
  });

  it('one failing scan cancels the others, and its error is the answer', async () => {
    const runner = new FakeQueryRunner((_, { signal }) => {
      if (runner.runs.length === 1) return untilAborted(signal);
      throw new TelemetryError('timeout', 'too slow');
    });
    const { api } = await service(runner);
    const second = 'e00000000000000000000009';
    const own = await api.parts.sources.find(tenant.id, await api.sourceId('log'));
    if (!own) throw new Error('no log source');
    await api.parts.sources.insert(tenant.id, { ...own, id: second });
    expect((await api.rejection(bodyOf(own.id, second)))[0]).toBe(504);
    expect(runner.runs[0]?.options.signal?.aborted).toBe(true);
  });
});
