import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { AggregateName, ChartQuery } from '../../src/query/chart-query.ts';
import { type ChartPlan, compileAllGroups, compileTopN, planChart } from '../../src/query/compile-chart.ts';
import type { CompiledQuery } from '../../src/query/compiled-query.ts';
import type { EventSourceSchema } from '../../src/query/source-schema.ts';
import { openEngine, type TestEngine } from '../support/start-engine.ts';
import {
  chart,
  guardsFor,
  insertRows,
  logSource,
  makeDatabase,
  minute,
  type Row,
  rowsOf,
  T0,
  traceSource,
} from './telemetry-fixture.ts';

const database = 'otel_cheap_groups_tests';
const guards = guardsFor(database);
/** For machines that do much else beside it. */
const timeoutMs = 240_000;
let engine: TestEngine;
let logs: EventSourceSchema;
let spans: EventSourceSchema;

beforeAll(async () => {
  engine = await openEngine();
  await makeDatabase(engine, database);
  logs = await logSource(engine, database);
  spans = await traceSource(engine, database);
  const numbers = [undefined, '', 'x', '0', '-1.5', '7', 'nan', '1e300'];
  const at = (index: number): number => T0 + ((index * 7_919) % (90 * minute)) + (index % 3 === 0 ? 0.25 : 0);
  const rows = Array.from({ length: 600 }, (_, index): Row => {
    const n = numbers[index % numbers.length];
    const own = n === undefined ? {} : { n };
    return {
      Timestamp: Math.floor(at(index)),
      ServiceName: ['a', 'b', '', 'rare'][index % 50 === 0 ? 3 : index % 3],
      SeverityText: ['info', 'error'][index % 2],
      SeverityNumber: index % 24,
      Body: `word${index % 5}`,
      LogAttributes: { ...own, k: `v${index % 7}` },
    };
  });
  await insertRows(engine, database, 'otel_logs', rows);
  await insertRows(
    engine,
    database,
    'otel_traces',
    rows.map(({ Timestamp, ServiceName, SeverityNumber, LogAttributes }): Row => {
      return { Timestamp, ServiceName, SpanName: 'x', Duration: SeverityNumber, SpanAttributes: LogAttributes };
    }),
  );
});

async function answer(compiled: CompiledQuery): Promise<Row[]> {
  return rowsOf(await engine.queryRunner.run(compiled, { queryClass: 'interactive', timeoutMs: 30_000 }));
}

/** The plan as it was before its buckets were made cheaper to group by. */
function plain({ folded: _folded, ...plan }: ChartPlan): ChartPlan {
  return { ...plan, cheapest: plan.events };
}

/** What a row says: values count where rows do, sums may differ in the last bits by rounding. */
function said(rows: readonly Row[]): Row[] {
  return rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => {
        if (name.startsWith('v') && Number(row[`n${name.slice(1)}`]) === 0) return [name, null];
        return [name, typeof value === 'number' ? Number(value.toPrecision(12)) : value];
      }),
    ),
  );
}

type Way = 'as asked' | 'in the order of the table' | 'by one key';

/** How rows are grouped while they are read. */
function wayOf({ cheapest, events }: ChartPlan): Way {
  if (cheapest.inOrder) return 'in the order of the table';
  const isOneKey = cheapest.groupBy?.length === 1 && events.groupBy?.length !== 1;
  return isOneKey ? 'by one key' : 'as asked';
}

const isFolded = (query: ChartQuery, source: EventSourceSchema): boolean =>
  planChart(query, source).folded !== undefined;

const foldable: AggregateName[] = ['count', 'avg', 'quantile', 'count_distinct'];
const aggregates: AggregateName[] = [...foldable, ...foldable, 'sum', 'min', 'max', 'last_value'];
const seriesOf = (fields: string[]) =>
  fc.record({
    aggregate: fc.constantFrom(...aggregates),
    field: fc.constantFrom(...fields),
    level: fc.constantFrom(0, 0.5, 0.95),
    where: fc.constantFrom('', 'ServiceName:a', '-ServiceName:a', 'n:>0', 'ServiceName:nobody'),
  });
const request = (fields: string[], groups: string[]) =>
  fc.record({
    series: fc.array(seriesOf(fields), { minLength: 1, maxLength: 2 }),
    groupBy: fc.subarray(groups),
    granularityMs: fc.constantFrom<(number | undefined)[]>(
      undefined,
      1_500,
      30_000,
      7 * minute,
      15 * minute,
      15 * minute,
      60 * minute,
    ),
    bucketOriginMs: fc.constantFrom(0, T0, 3 * minute, 1_000),
    start: fc.integer({ min: -10, max: 60 }).map((minutes) => T0 + minutes * minute),
    lengthMs: fc.oneof(
      fc.integer({ min: 1, max: 120 * minute }),
      fc.constantFrom(30 * minute, 60 * minute, 90 * minute),
    ),
    groupsMax: fc.constantFrom(1, 2, 5, 1_000),
    groupsPerBucket: fc.boolean(),
  });

type Asked = ReturnType<typeof request> extends fc.Arbitrary<infer Value> ? Value : never;

/** Few random charts are folded; this one is. */
function foldedChart(groups: string[]): Asked {
  const series: Asked['series'] = [{ aggregate: 'count', field: 'n', level: 0.5, where: '-ServiceName:a' }];
  const buckets = { granularityMs: 15 * minute, bucketOriginMs: 0, groupsPerBucket: false };
  const groupBy = groups.slice(1, 2);
  return { series, groupBy, groupsMax: 1_000, start: T0, lengthMs: 60 * minute, ...buckets };
}

describe('groups that the engine finds at less cost', () => {
  it.each([
    ['logs', ['SeverityNumber', 'LogAttributes.n', 'Body'], ['ServiceName', 'SeverityText', 'k', 'upper(Body)']],
    ['spans', ['Duration', 'n'], ['ServiceName', 'SpanName', 'SpanAttributes.k']],
  ])(
    '%s: over random charts the answer is that of rows grouped by bucket and group',
    async (kind, fields, groups) => {
      const source = kind === 'logs' ? logs : spans;
      let folded = 0;
      const ways = new Set<Way>();
      await fc.assert(
        fc.asyncProperty(
          request(fields, groups),
          async ({ series, start, lengthMs, granularityMs, groupsPerBucket, ...rest }) => {
            const range = { startMs: start, endMs: start + lengthMs };
            const parts = { ...(granularityMs && { granularityMs }), ...(groupsPerBucket && { groupsPerBucket }) };
            const query = chart(series, { ...rest, range, ...parts });
            const plan = planChart(query, source);
            if (plan.folded) folded += 1;
            ways.add(wayOf(plan));
            const [cut, expected] = [compileTopN(plan, query, guards), compileTopN(plain(plan), query, guards)];
            expect(said(await answer(cut))).toEqual(said(await answer(expected)));
            const [all, expectedAll] = [plan, plain(plan)].map((each) => compileAllGroups(each, query, guards, 50_000));
            if (all && expectedAll) expect(said(await answer(all))).toEqual(said(await answer(expectedAll)));
          },
        ),
        { numRuns: 40, examples: [[foldedChart(groups)]] },
      );
      expect(folded).toBeGreaterThan(0);
      expect([...ways]).toEqual(expect.arrayContaining(['by one key', 'as asked']));
    },
    timeoutMs,
  );

  it.each<[string, string[], number | undefined, Way]>([
    ['groups that the table is sorted by', ['ServiceName'], minute, 'in the order of the table'],
    ['the same in one bucket', ['ServiceName'], 60 * minute, 'in the order of the table'],
    ['the same without buckets', ['ServiceName'], undefined, 'in the order of the table'],
    ['other groups', ['SeverityText'], minute, 'by one key'],
    ['several groups', ['ServiceName', 'k'], minute, 'by one key'],
    ['several groups in one bucket', ['ServiceName', 'k'], 60 * minute, 'by one key'],
    ['several groups without buckets', ['ServiceName', 'k'], undefined, 'by one key'],
    ['what is worked out of the first column', ['upper(ServiceName)'], minute, 'by one key'],
    ['no groups', [], minute, 'as asked'],
    ['neither groups nor buckets', [], undefined, 'as asked'],
    ['parts of seconds', ['SeverityText'], 1_500, 'as asked'],
  ])('%s', (_, groupBy, granularityMs, expected) => {
    const query = chart({ where: 'Body:word1' }, { groupBy, ...(granularityMs && { granularityMs }) });
    expect(wayOf(planChart(query, logs))).toBe(expected);
  });

  const hour = { granularityMs: 5 * minute, groupBy: ['k'] };
  it.each<[string, ChartQuery, boolean]>([
    ['few buckets', chart({ where: 'Body:word1' }, hour), true],
    ['many buckets', chart({ where: 'k:x' }, { ...hour, granularityMs: minute }), false],
    [
      'few large states',
      chart({ aggregate: 'count_distinct', field: 'Body' }, { ...hour, granularityMs: 20 * minute }),
      true,
    ],
    ['many large states', chart({ aggregate: 'count_distinct', field: 'Body' }, hour), false],
    ['groups in the order of the table', chart({ where: 'Body:word1' }, { ...hour, groupBy: ['ServiceName'] }), false],
    ['values that may be missing', chart({ aggregate: 'sum', field: 'n' }, hour), false],
    ['values that are always there', chart({ aggregate: 'sum', field: 'SeverityNumber' }, hour), true],
    ['an aggregate that looks at the time', chart({ aggregate: 'last_value', field: 'n' }, hour), false],
    ['parts of seconds', chart({ where: 'Body:word1' }, { ...hour, granularityMs: 1_500 }), false],
    ['no groups', chart({ where: 'Body:word1' }, { ...hour, groupBy: [] }), false],
    [
      'a short range',
      chart({ where: 'Body:word1' }, { ...hour, range: { startMs: T0, endMs: T0 + 29 * minute } }),
      false,
    ],
    ['one bucket', chart({ where: 'Body:word1' }, { ...hour, granularityMs: 60 * minute }), false],
    ['before 1970', chart({ where: 'Body:word1' }, { ...hour, range: { startMs: -minute, endMs: minute } }), false],
  ])('%s', (_, query, expected) => expect(isFolded(query, logs)).toBe(expected));
});
