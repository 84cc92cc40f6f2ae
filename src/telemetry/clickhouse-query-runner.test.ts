import { describe, expect, it } from 'vitest';
import { FakeClock } from '../kernel/fake-clock.ts';
import { ClickHouseQueryRunner } from './clickhouse-query-runner.ts';
import { type QueryResult, type RunOptions, TelemetryError } from './ports.ts';
import { queryResult } from './testing.ts';

type Answer = () => Promise<QueryResult>;

function setUp(answers: readonly Answer[]) {
  const clock = new FakeClock();
  const counted: string[] = [];
  const note = (...parts: unknown[]) => void counted.push(parts.join(' '));
  const metrics = {
    queued: (...parts: unknown[]) => note('queued', ...parts),
    started: (...parts: unknown[]) => note('started', ...parts),
    refused: (...parts: unknown[]) => note('refused', ...parts),
    ended: (...parts: unknown[]) => note('ended', ...parts),
  };
  const left = answers.values();
  const client = { query: () => left.next().value?.() ?? Promise.resolve(queryResult({})) };
  const widths = { interactive: 1, alerts: 1, background: 1 };
  const runner = new ClickHouseQueryRunner(client, clock, { widths, metrics });
  const run = (options: Partial<RunOptions> = {}) => {
    const query = { sql: 'SELECT 1', params: {}, settings: {} };
    return runner.run(query, { queryClass: 'interactive', timeoutMs: 5_000, ...options }).then(
      () => 'answered',
      (error: unknown) => (error instanceof TelemetryError ? error.kind : 'other'),
    );
  };
  return { clock, counted, run };
}

describe('what is counted of queries', () => {
  it('each is queued, then runs with its wait, and ends', async () => {
    const answer: { give: () => void } = { give: () => {} };
    const held = () =>
      new Promise<QueryResult>((resolve) => {
        answer.give = () => resolve(queryResult({}));
      });
    const { clock, counted, run } = setUp([held]);
    const both = [run(), run()];
    await clock.advance(0);
    await clock.advance(300);
    answer.give();
    expect(await Promise.all(both)).toEqual(['answered', 'answered']);
    expect(counted).toEqual([
      'queued interactive',
      'queued interactive',
      'started interactive 0',
      'ended interactive completed 300',
      'started interactive 300',
      'ended interactive completed 0',
    ]);
  });

  it('one that gets no slot in time fails, and so does one whose caller cancels', async () => {
    const { clock, counted, run } = setUp([() => new Promise(() => {})]);
    void run({ timeoutMs: 60_000 });
    await clock.advance(0);
    const caller = new AbortController();
    const refused = [run({ timeoutMs: 100 }), run({ signal: caller.signal })];
    await clock.advance(100);
    caller.abort();
    expect(await Promise.all(refused)).toEqual(['timeout', 'cancelled']);
    expect(counted.slice(-2)).toEqual(['refused interactive timeout', 'refused interactive cancelled']);
  });

  it('by the kind of failure', async () => {
    const { counted, run } = setUp([() => Promise.reject(new TelemetryError('limit', 'too much memory'))]);
    expect(await run({ queryClass: 'alerts' })).toBe('limit');
    expect(counted.at(-1)).toBe('ended alerts limit 0');
  });
});
