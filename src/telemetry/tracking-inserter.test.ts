import { describe, expect, it } from 'vitest';
import { nativeBlock } from '../../test/support/native-block.ts';
import { FakeClock } from '../kernel/fake-clock.ts';
import { blockTimes } from './block-times.ts';
import { TelemetryError } from './ports.ts';
import { RecordingInserter } from './testing.ts';
import { TrackingInserter } from './tracking-inserter.ts';

const secondMs = 1_000;
const t0 = 1_700_000_000_000;

const timesBlock = (...timesMs: number[]) =>
  nativeBlock([
    { name: 'Timestamp', type: 'DateTime64(9)', values: timesMs.map((ms) => BigInt(ms) * 1_000_000n + 500_000n) },
  ]);

function world() {
  const inserter = new RecordingInserter();
  const clock = new FakeClock();
  const watched = new TrackingInserter(inserter, { logs: 1, traces: 2, metrics: 3 }, clock);
  let tokens = 0;
  const write = (blocks: Uint8Array[], token = `token ${++tokens}`, database = 'otel') =>
    watched.insert({ database, table: 'otel_logs', blocks, token });
  return { inserter, clock, watched, write };
}

const second = (ms: number) => ({ startMs: ms, endMs: ms + secondMs });

describe('the times of a block', () => {
  it('are the seconds in which it has rows, as stretches', () => {
    const block = timesBlock(t0 + 5_000, t0, t0 + 1_000, t0 + 5_200);
    expect(blockTimes(block)).toEqual([{ startMs: t0, endMs: t0 + 2_000 }, second(t0 + 5_000)]);
  });

  it('a value on a full second counts for the second before too: a double is not precise enough', () => {
    const block = nativeBlock([{ name: 'TimeUnix', type: 'DateTime64(9)', values: [BigInt(t0) * 1_000_000n] }]);
    expect(blockTimes(block)).toEqual([{ startMs: t0 - secondMs, endMs: t0 + secondMs }]);
  });

  it('of any number of seconds that do not touch are one stretch', () => {
    const values = Array.from({ length: 135_000 }, (_, index) => BigInt(t0 + index * 3_000) * 1_000_000n + 500_000n);
    const block = nativeBlock([{ name: 'Timestamp', type: 'DateTime64(9)', values }]);
    expect(blockTimes(block)).toEqual([{ startMs: t0, endMs: t0 + 134_999 * 3_000 + secondMs }]);
  });

  it('times before 1970 too', () => {
    const block = nativeBlock([{ name: 'Timestamp', type: 'DateTime64(9)', values: [-1_500_000_000n] }]);
    expect(blockTimes(block)).toEqual([{ startMs: -2_000, endMs: -1_000 }]);
  });

  it('are unknown when the first column is another one, and widened when they are many', () => {
    expect(blockTimes(nativeBlock([{ name: 'Body', type: 'String', values: ['x'] }]))).toBeUndefined();
    const many = timesBlock(...Array.from({ length: 300 }, (_, i) => t0 + i * 10_000));
    expect(blockTimes(many)).toEqual([{ startMs: t0, endMs: t0 + 299 * 10_000 + secondMs }]);
  });
});

describe('the account of writes', () => {
  it('reports what was written after a mark, to that table of that database alone', async () => {
    const { watched, write } = world();
    await write([timesBlock(t0)]);
    const mark = watched.mark();
    await write([timesBlock(t0 + 60_000), timesBlock(t0 + 90_000)]);
    await write([timesBlock(t0 + 120_000)], 'other', 'otel_other');
    expect(watched.writtenSince('otel', 'otel_logs', mark)).toEqual([second(t0 + 60_000), second(t0 + 90_000)]);
    expect(watched.writtenSince('otel', 'otel_traces', mark)).toEqual([]);
    expect(watched.writtenSince('otel', 'otel_logs', watched.mark())).toEqual([]);
  });

  it('a write under way is reported whatever the mark, and again when it has ended', async () => {
    const { inserter, watched, write } = world();
    let commit = () => {};
    inserter.answer = () => new Promise<void>((resolve) => (commit = resolve));
    const writing = write([timesBlock(t0)]);
    const mark = watched.mark();
    expect(watched.writtenSince('otel', 'otel_logs', mark)).toEqual([second(t0)]);
    commit();
    await writing;
    expect(watched.writtenSince('otel', 'otel_logs', mark)).toEqual([second(t0)]);
    expect(watched.writtenSince('otel', 'otel_logs', watched.mark())).toEqual([]);
  });

  it('a write with an unknown outcome stays open until another attempt with its token ends', async () => {
    const { inserter, watched, write } = world();
    inserter.answer = (_, attempt) => {
      if (attempt === 0) throw new TelemetryError('timeout', 'slow');
    };
    await expect(write([timesBlock(t0)], 'same')).rejects.toThrow('slow');
    expect(watched.writtenSince('otel', 'otel_logs', watched.mark())).toEqual([second(t0)]);
    await write([timesBlock(t0)], 'same');
    expect(watched.writtenSince('otel', 'otel_logs', watched.mark())).toEqual([]);
  });

  it('a write that the store rejected has ended', async () => {
    const { inserter, watched, write } = world();
    inserter.answer = () => {
      throw new TelemetryError('failed', 'bad block');
    };
    await expect(write([timesBlock(t0)])).rejects.toThrow('bad block');
    expect(watched.writtenSince('otel', 'otel_logs', watched.mark())).toEqual([]);
  });

  it('a block whose times can’t be read is a write to everything', async () => {
    const { watched, write } = world();
    await write([nativeBlock([{ name: 'Body', type: 'String', values: ['x'] }])]);
    expect(watched.writtenSince('otel', 'otel_logs', 0)).toBe('everything');
    expect(watched.writtenSince('otel', 'otel_logs', watched.mark())).toEqual([]);
  });

  it('thousands of writes are reported without loss, old ones more coarsely', async () => {
    const { watched, write } = world();
    for (let i = 0; i < 3_000; i++) await write([timesBlock(t0 + i * 7_000)]);
    const reported = watched.writtenSince('otel', 'otel_logs', 0);
    if (reported === 'everything') throw new Error('times are known');
    const isReported = (ms: number) => reported.some(({ startMs, endMs }) => startMs <= ms && ms < endMs);
    expect(Array.from({ length: 3_000 }, (_, i) => t0 + i * 7_000).filter((ms) => !isReported(ms))).toEqual([]);
    expect(watched.writtenSince('otel', 'otel_logs', watched.mark() - 1)).toEqual([second(t0 + 2_999 * 7_000)]);
  });

  it('rows stay as long as their signal’s retention says; a table without one is never remembered', () => {
    const { clock, watched } = world();
    expect(watched.oldestKeptMs('otel_traces')).toBeGreaterThan(clock.nowMs() - 2 * 86_400_000);
    expect(watched.oldestKeptMs('elsewhere')).toBe(Number.POSITIVE_INFINITY);
  });
});
