import { beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../../src/contract/errors.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { ChartReader } from '../../src/resources/charts/answer/chart-reader.ts';
import { type ChartAnswer, ChartService } from '../../src/resources/charts/answer/chart-service.ts';
import { presentChartRows } from '../../src/resources/charts/answer/present-chart-rows.ts';
import { UnseenAttributes } from '../../src/resources/charts/reading/unseen-attributes.ts';
import { readChartRequest } from '../../src/resources/charts/request/read-chart-request.ts';
import { limits, noIntervals, tenant } from '../scenarios/charts/chart-api.ts';
import { randomAsks, randomMixture } from './brute-force/asks.ts';
import { attributeField, columnField } from './brute-force/facts.ts';
import { aggregates, groupings, type Kind } from './brute-force/kinds.ts';
import { Random } from './brute-force/random.ts';
import { type Asked, filled, presented, readSlowly, type SlowRow, toRequest } from './brute-force/slow-chart.ts';
import { randomWorld } from './brute-force/world.ts';

/** Another seed asks other questions of other rows. */
const seed = 20_250_115;
const random = new Random(seed);
const mixtures = 40;
/** For machines that do much else beside it. */
const timeoutMs = 240_000;
let reader: ChartReader;
let charts: ChartService;
let kinds: Kind[];
let compared = 0;

beforeAll(async () => {
  const world = await randomWorld(random);
  const { readable, runner } = world.api.parts;
  reader = new ChartReader({ sources: readable, runner, unseen: new UnseenAttributes(systemClock) });
  charts = new ChartService(reader, noIntervals, limits.resultRowsMax);
  kinds = world.kinds;
});

interface Answer {
  rows: Record<string, unknown>[];
  meta: { truncated: boolean; groupsTotal?: number };
}

async function answerOf(asked: Asked): Promise<Answer> {
  const answer: ChartAnswer = await charts.query(tenant.id, toRequest(asked), new AbortController().signal);
  return { rows: JSON.parse(answer.rows) as Answer['rows'], meta: JSON.parse(answer.meta) as Answer['meta'] };
}

/** The rows of the groups that the answer kept, after a look at whether it may keep these (decisions C5). */
function keptRows(asked: Asked, { rows, meta }: Answer): SlowRow[] {
  const slow = readSlowly(asked);
  const isCut = slow.sizes.size > asked.groupsMax;
  expect(meta.truncated).toBe(isCut);
  if (asked.window.groupBy.length > 0) expect(meta.groupsTotal).toBe(slow.sizes.size);
  if (!isCut) return slow.rows;
  const kept = new Set(rows.map(({ group }) => JSON.stringify(group)));
  expect(kept.size).toBe(asked.groupsMax);
  const sizesOf = (isKept: boolean): number[] =>
    [...slow.sizes].filter(([group]) => kept.has(group) === isKept).map(([, size]) => size);
  expect(Math.min(...sizesOf(true))).toBeGreaterThanOrEqual(Math.max(...sizesOf(false)));
  return slow.rows.filter(({ group }) => kept.has(JSON.stringify(group)));
}

/** Sums and interpolations may differ in the last bits by rounding. */
function nearlyEqual(expected: unknown, actual: unknown): boolean {
  if (typeof expected !== 'number' || typeof actual !== 'number') return false;
  return Math.abs(expected - actual) <= 1e-9 * Math.max(1, Math.abs(expected));
}

/** The answer's row with its numbers as the slow reading writes them, where they are the same. */
function rounded(actual: Record<string, unknown>, expected: Record<string, unknown> = {}): Record<string, unknown> {
  const entries = Object.entries(actual);
  return Object.fromEntries(
    entries.map(([key, value]) => [key, nearlyEqual(expected[key], value) ? expected[key] : value]),
  );
}

async function compare(asked: Asked): Promise<void> {
  const request = JSON.stringify(toRequest(asked));
  compareRows(
    asked,
    await answerOf(asked).catch((error: unknown) => Promise.reject(new Error(`${request}: ${error}`))),
  );
}

function compareRows(asked: Asked, answer: Answer): void {
  try {
    const expected = filled(keptRows(asked, answer), asked).map((row) => presented(row, asked));
    expect(answer.rows.map((row, index) => rounded(row, expected[index]))).toEqual(expected);
  } catch (error) {
    if (error instanceof Error) error.message = `${JSON.stringify(toRequest(asked))}: ${error.message}`;
    throw error;
  }
  compared += asked.series.length;
}

/** They share statements where they look at the same rows. */
async function compareTogether(kind: Kind): Promise<void> {
  const chartsEach = kind.metrics.length > 0 ? 1 : 3;
  const asks = groupings.flatMap((grouping) => randomAsks(random, kind, grouping).slice(0, chartsEach));
  const [first] = asks;
  if (!first) throw new Error('nothing to ask');
  const { fill: _, returnType: __, granularity, window } = first;
  const together = asks.map((asked): Asked => {
    const own = { ...window, groupBy: asked.window.groupBy };
    return { ...asked, window: own, granularity, fill: undefined, returnType: undefined };
  });
  const definitions = together.map((asked) => readChartRequest(toRequest(asked)));
  const readings = await reader.readAll(tenant.id, definitions, { queryClass: 'interactive' });
  for (const [index, asked] of together.entries()) {
    const reading = readings[index];
    if (reading?.status !== 'fulfilled') throw new Error(`${JSON.stringify(toRequest(asked))}: ${reading?.reason}`);
    const rows = JSON.parse(presentChartRows(reading.value.table)) as Answer['rows'];
    compareRows(asked, { rows, meta: reading.value.meta });
  }
}

/** Some at a time: the engine answers them side by side. */
async function compareAll(asks: readonly Asked[]): Promise<void> {
  const waiting = [...asks];
  const worker = async (): Promise<void> => {
    for (let asked = waiting.shift(); asked; asked = waiting.shift()) await compare(asked);
  };
  await Promise.all([worker(), worker(), worker()]);
}

const kindNames = [
  'logs',
  'logs of a filtered source',
  'spans',
  'sampled spans',
  'gauges',
  'delta sums',
  'cumulative sums',
  'sums of both temporalities',
  'up-down counters',
  'delta histograms',
  'cumulative histograms',
  'histograms of both temporalities',
  'delta exponential histograms',
  'cumulative exponential histograms',
  'summaries',
];

function kindOf(name: string): Kind {
  const kind = kinds.find((each) => each.name === name);
  if (!kind) throw new Error(`there is no kind ${name}`);
  return kind;
}

describe(`charts equal the slow reading of random rows (seed ${seed})`, () => {
  const product = kindNames.flatMap((name) => groupings.map((grouping) => ({ name, grouping })));

  it.each(product)(
    '$name by $grouping: every aggregate, in languages in turn',
    async ({ name, grouping }) => {
      const kind = kindOf(name);
      // Statements over metrics cost several times as much.
      const rounds = kind.metrics.length > 0 ? 1 : 3;
      for (let round = 0; round < rounds; round++) await compareAll(randomAsks(random, kind, grouping));
    },
    timeoutMs,
  );

  it(
    'series of several sources and metrics side by side',
    async () => {
      const route = attributeField('region', ['ResourceAttributes']);
      const groups = [[], [columnField('ServiceName')], [route]];
      await compareAll(Array.from({ length: mixtures }, () => randomMixture(random, kinds, random.pick(groups))));
    },
    timeoutMs,
  );

  it(
    'charts over the same range, requested together like tiles',
    async () => {
      for (const kind of kinds) await compareTogether(kind);
    },
    timeoutMs,
  );

  it('what a kind does not support is rejected', async () => {
    for (const kind of kinds) {
      for (const aggregate of aggregates.filter((each) => !kind.known.includes(each))) {
        const [asked] = randomAsks(random, { ...kind, known: [aggregate] }, 'nothing');
        if (!asked) throw new Error('nothing to ask');
        await expect(answerOf(asked)).rejects.toThrow(AppError);
      }
    }
  });

  it('those were a few thousand cases, of every kind', () => {
    expect(kinds.map(({ name }) => name)).toEqual(kindNames);
    expect(compared).toBeGreaterThan(2_000);
  });
});
