import { beforeAll, describe, expect, it } from 'vitest';
import { ByteRange } from '../../src/collector/decode/byte-range.ts';
import { severityNumberOf, severityTextOf } from '../../src/collector/logs/severity.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import type { EventSourceSchema } from '../../src/query/source-schema.ts';
import { ClickHouseTableSchemas } from '../../src/telemetry/table-schemas.ts';
import { openEngine, type TestEngine } from '../support/start-engine.ts';
import { chart, insertRows, logSource, makeDatabase, minute, type Row, run, T0 } from './telemetry-fixture.ts';

const database = 'otel_foreign_severity';

/** What senders send: both, one of the two, none, unknown words, numbers that OpenTelemetry does not define. */
const texts = ['', 'error', 'ERROR2', 'Warning', 'information', 'crit', '200', 'fatal4'];
const numbers = [0, 1, 4, 9, 13, 17, 20, 21, 24, 25, 99];
const sent = texts.flatMap((text) => numbers.map((number) => ({ text, number })));

/** As our collector stores it. */
function filled({ text, number }: (typeof sent)[number]): (typeof sent)[number] {
  const bytes = Buffer.from(text);
  return {
    text: text === '' ? severityTextOf(number) : text,
    number: number === 0 ? severityNumberOf(bytes, whole(bytes)) : number,
  };
}

function whole({ length }: Buffer): ByteRange {
  const range = new ByteRange();
  range.start = 0;
  range.end = length;
  return range;
}

const toRow = ({ text, number }: (typeof sent)[number], index: number): Row => ({
  Timestamp: T0 + index * 1000,
  ServiceName: 'shop',
  SeverityText: text,
  SeverityNumber: number,
});

let engine: TestEngine;
let ours: EventSourceSchema;
/** The same logs in the columns of the Collector's exporter, as they were sent. */
const foreign = new Map<string, EventSourceSchema>();

const columnTypes = [
  ['LowCardinality(String)', 'UInt8'],
  ['String', 'Int32'],
  ['LowCardinality(Nullable(String))', 'Nullable(Int32)'],
] as const;

beforeAll(async () => {
  engine = await openEngine();
  await makeDatabase(engine, database);
  ours = await logSource(engine, database);
  await insertRows(engine, database, 'otel_logs', sent.map(filled).map(toRow));
  for (const [at, [text, number]] of columnTypes.entries()) {
    const table = `exported_${at}`;
    const columns = `Timestamp DateTime64(9), ServiceName String, SeverityText ${text}, SeverityNumber ${number}`;
    const sql = `CREATE TABLE ${database}.${table} (${columns}) ENGINE = MergeTree ORDER BY (ServiceName, Timestamp)`;
    await engine.client.command(sql, { timeoutMs: 30_000 });
    await insertRows(engine, database, table, sent.map(toRow));
    const schema = await engine.tableSchemas.describe(database, table);
    if (!schema) throw new Error(`there is no ${table}`);
    const { sortTimeColumn: _, implicitColumn: __, ...rest } = ours;
    foreign.set(text, { ...rest, table: schema, attributeColumns: [], derivesSeverity: true });
  }
});

it('tables of ours are known, also from in front of those that hold their rows on a cluster', async () => {
  const local = `${database}.exported_0_local`;
  await engine.client.command(`CREATE TABLE ${local} AS ${database}.otel_logs`, { timeoutMs: 30_000 });
  // It remembers nothing of before.
  const tableSchemas = new ClickHouseTableSchemas(engine.client, systemClock);
  const known = async (table: string) => (await tableSchemas.describe(database, table))?.isOurs;
  expect(await Promise.all(['otel_logs', 'otel_traces', 'exported_0', 'exported_1'].map(known))).toEqual([
    ...[true, true, true],
    undefined,
  ]);
});

describe.each(columnTypes)('logs in a table of the exporter, %s and %s, are found as those that we stored', (text) => {
  const answers = async (...query: Parameters<typeof chart>) => {
    const source = foreign.get(text);
    if (!source) throw new Error(`no source of ${text}`);
    return [await run(engine, chart(...query), source), await run(engine, chart(...query), ours)];
  };

  it.each([
    'SeverityText:error',
    'SeverityText:"ERROR"',
    'SeverityText:(warn OR fatal)',
    'SeverityText:*',
    '-SeverityText:*',
    'NOT SeverityText:info',
    'SeverityNumber:17',
    'SeverityNumber:>=17',
    'SeverityNumber:[9 TO 16]',
    '-SeverityNumber:0',
  ])('%s', async (where) => {
    const [there, here] = await answers({ where });
    expect(there).toEqual(here);
    expect(here).not.toEqual([]);
  });

  it.each([
    "SeverityText = 'ERROR'",
    "SeverityText IN ('WARN', 'Warning')",
    "lower(SeverityText) LIKE '%err%'",
    'SeverityNumber > 12 AND SeverityNumber < 21',
    "SeverityText = ''",
  ])('%s', async (where) => {
    const [there, here] = await answers({ where, whereLanguage: 'sql' });
    expect(there).toEqual(here);
  });

  it('grouped, and over time', async () => {
    const rest = { groupBy: ['SeverityText'], granularityMs: minute };
    const [there, here] = await answers({}, rest);
    const sorted = (rows: Row[] = []) => rows.map((row) => JSON.stringify(row)).sort();
    expect(sorted(there)).toEqual(sorted(here));
    expect(here?.length).toBeGreaterThan(10);
  });

  it('as a value', async () => {
    const [there, here] = await answers([
      { aggregate: 'max', field: 'SeverityNumber', where: 'SeverityNumber:<24' },
      { aggregate: 'count_distinct', field: 'SeverityText' },
    ]);
    expect(there).toEqual(here);
  });
});
