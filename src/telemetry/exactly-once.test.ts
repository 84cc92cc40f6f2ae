import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FakeClock } from '../kernel/fake-clock.ts';
import { randomIds } from '../kernel/ids.ts';
import { BatchWriter, defaultBatchLimits } from './batch-writer.ts';
import { type BlockInserter, type EncodedBlock, TelemetryError } from './ports.ts';

type Batch = Parameters<BlockInserter['insert']>[0];

/** How an attempt ends, for the store and for its caller; `late`: stored long after the caller gave up. */
type Outcome = 'stored' | 'answer lost' | 'nothing stored' | 'half stored' | 'stored late' | 'rejected';

const shards = 2;
const lateMs = 45_000;

/** A cluster: each shard takes its part of a batch once per token. Bodies are rows; their first letter is the shard. */
class ModelStore implements BlockInserter {
  readonly rows: string[] = [];
  readonly #tokens = Array.from({ length: shards }, () => new Set<string>());
  readonly #clock: FakeClock;
  readonly #outcomes: Outcome[];

  constructor(clock: FakeClock, outcomes: readonly Outcome[]) {
    this.#clock = clock;
    this.#outcomes = [...outcomes];
  }

  async insert(batch: Batch): Promise<void> {
    const outcome = this.#outcomes.shift() ?? 'stored';
    if (outcome === 'rejected') throw new TelemetryError('failed', 'this user may not write', 497);
    if (outcome === 'stored' || outcome === 'answer lost') this.#store(batch);
    if (outcome === 'half stored') this.#store(batch, 1);
    if (outcome === 'stored late') this.#clock.after(lateMs, () => this.#store(batch));
    if (outcome !== 'stored') throw new TelemetryError('unavailable', outcome);
  }

  #store({ blocks, token }: Batch, shardsReached = shards): void {
    for (let shard = 0; shard < shardsReached; shard++) {
      const tokens = this.#tokens[shard];
      if (!tokens || tokens.has(token)) continue;
      tokens.add(token);
      const rows = blocks.flatMap((bytes) => String(bytes).split(','));
      this.rows.push(...rows.filter((row) => Number(row[0]) === shard));
    }
  }
}

interface Request {
  atMs: number;
  rows: number;
  /** Until it has an answer, its sender sends it again after each of these pauses. */
  pausesMs: number[];
  /** It does not wait for answers, as a client whose connection breaks. */
  isImpatient: boolean;
  /** So many answers do not reach it. */
  answersLost: number;
}

const outcome = fc.constantFrom<Outcome>(
  ...(['stored', 'answer lost', 'nothing stored', 'half stored', 'stored late', 'rejected'] as const),
);
const request = fc.record({
  atMs: fc.nat({ max: 3_000 }),
  rows: fc.integer({ min: 1, max: 12 }),
  pausesMs: fc.array(fc.oneof(fc.nat({ max: 1_000 }), fc.nat({ max: 60_000 })), { maxLength: 8 }),
  isImpatient: fc.boolean(),
  answersLost: fc.nat({ max: 2 }),
});

function blockOf(id: number, rows: number): EncodedBlock {
  const texts = Array.from({ length: rows }, (_, row) => `${(id + row) % shards}-${id}-${row}`);
  return { table: 'otel_logs', rows, bytes: Buffer.from(texts.join()), digest: `digest-${id}` };
}

/** Sends the requests at their times to one of the writers each time; answers which were acknowledged. */
async function sendAll(requests: readonly Request[], clock: FakeClock, writerOf: (attempt: number) => BatchWriter) {
  const acknowledged = new Set<number>();
  let attempts = 0;
  const send = (id: number, { rows, pausesMs, isImpatient, answersLost }: Request, turn: number): void => {
    if (acknowledged.has(id)) return;
    const answer = writerOf(attempts++).add('otel', [blockOf(id, rows)]);
    const again = () => {
      const pauseMs = pausesMs[turn];
      if (pauseMs !== undefined) clock.after(pauseMs, () => send(id, requests[id] ?? expect.unreachable(), turn + 1));
    };
    const acknowledge = () => {
      if (turn >= answersLost) acknowledged.add(id);
      else if (!isImpatient) again();
    };
    answer.then(acknowledge, isImpatient ? () => undefined : again);
    if (isImpatient) again();
  };
  for (const [id, each] of requests.entries()) clock.after(each.atMs, () => send(id, each, 0));
  // Longer than anything is remembered; in steps, as most of it is idle.
  for (let atMs = 0; atMs < 2 * defaultBatchLimits.rememberForMs; atMs += 60_000) await clock.advance(60_000);
  return acknowledged;
}

function expectOnce({ rows }: ModelStore, requests: readonly Request[], acknowledged: ReadonlySet<number>): void {
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(row, (counts.get(row) ?? 0) + 1);
  expect([...counts].filter(([, count]) => count > 1)).toEqual([]);
  for (const id of acknowledged) {
    const sent = String(blockOf(id, requests[id]?.rows ?? 0).bytes).split(',');
    expect(sent.filter((row) => !counts.has(row))).toEqual([]);
  }
}

const limits = { aloneRowsMin: 8, retryForMs: 2_000 };
const runs = { numRuns: 60 };

describe('a request that is sent again is stored once', () => {
  it('whatever became of the attempts, however the batches are composed', async () => {
    const property = fc.asyncProperty(
      fc.array(request, { minLength: 2, maxLength: 12, size: 'max' }),
      fc.array(outcome, { minLength: 10, maxLength: 40, size: 'max' }),
      async (requests, outcomes) => {
        const clock = new FakeClock();
        const store = new ModelStore(clock, outcomes);
        const writer = new BatchWriter({ inserter: store, clock, ids: randomIds, limits });
        const acknowledged = await sendAll(requests, clock, () => writer);
        expectOnce(store, requests, acknowledged);
        expect(writer.heldBytes).toBe(0);
      },
    );
    await fc.assert(property, runs);
  });

  it('also by another process, if it is large enough to be written alone', async () => {
    const property = fc.asyncProperty(
      fc.array(
        request.map((each) => ({ ...each, rows: each.rows + limits.aloneRowsMin })),
        { maxLength: 12 },
      ),
      fc.array(outcome, { minLength: 10, maxLength: 40, size: 'max' }),
      async (requests, outcomes) => {
        const clock = new FakeClock();
        const store = new ModelStore(clock, outcomes);
        const writers = Array.from(
          { length: 3 },
          () => new BatchWriter({ inserter: store, clock, ids: randomIds, limits }),
        );
        const writerOf = (attempt: number) => writers[attempt % writers.length] ?? expect.unreachable();
        const acknowledged = await sendAll(requests, clock, writerOf);
        expectOnce(store, requests, acknowledged);
      },
    );
    await fc.assert(property, runs);
  });
});
