import { describe, expect, it } from 'vitest';
import { FakeClock } from '../kernel/fake-clock.ts';
import { RecordingLogger } from '../kernel/recording-logger.ts';
import { type OldRecords, RecordPruner } from './record-pruner.ts';

const minuteMs = 60_000;
const keepMs = 30 * 24 * 60 * minuteMs;

/** So many rows are old; remembers each call. */
class FakeRecords implements OldRecords {
  readonly calls: { beforeMs: number; rowsMax: number }[] = [];
  left = 0;
  failWith: Error | undefined;
  onCall: () => void = () => {};

  async removeBefore(beforeMs: number, rowsMax: number): Promise<number> {
    this.calls.push({ beforeMs, rowsMax });
    this.onCall();
    if (this.failWith) throw this.failWith;
    const removed = Math.min(this.left, rowsMax);
    this.left -= removed;
    return removed;
  }
}

function start() {
  const [clock, records, logger] = [new FakeClock(), new FakeRecords(), new RecordingLogger()];
  const pruner = new RecordPruner({ records, clock, logger, keepMs, everyMs: 10 * minuteMs, batchRows: 100 });
  return { clock, records, logger, pruner };
}

describe('removing old records', () => {
  it('continues in batches until none is left', async () => {
    const { clock, records, pruner } = start();
    records.left = 250;
    pruner.start();
    await clock.advance(0);
    expect(records.left).toBe(0);
    expect(records.calls).toEqual(Array(4).fill({ beforeMs: clock.nowMs() - keepMs, rowsMax: 100 }));
    await pruner.stop();
  });

  it('begins a round every 10 minutes, not more often', async () => {
    const { clock, records, pruner } = start();
    pruner.start();
    await clock.advance(0);
    await clock.advance(60 * minuteMs - 1);
    expect(records.calls).toHaveLength(6);
    await pruner.stop();
  });

  it('a failing store is logged, and tried again in the next round', async () => {
    const { clock, records, logger, pruner } = start();
    records.failWith = new Error('no');
    pruner.start();
    await clock.advance(0);
    expect(logger.lines).toMatchObject([{ level: 'error', message: 'old records could not be removed' }]);
    records.failWith = undefined;
    records.left = 1;
    await clock.advance(10 * minuteMs);
    expect(records.left).toBe(0);
    await pruner.stop();
  });

  it('stops with the program, in the middle of a round too', async () => {
    const { clock, records, pruner } = start();
    records.left = 1_000;
    let stopped: Promise<void> | undefined;
    records.onCall = () => {
      stopped ??= pruner.stop();
    };
    pruner.start();
    await clock.advance(0);
    await stopped;
    await clock.advance(60 * minuteMs);
    expect(records.calls).toHaveLength(1);
  });
});
