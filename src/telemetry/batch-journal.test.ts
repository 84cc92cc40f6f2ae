import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeClock } from '../kernel/fake-clock.ts';
import { randomIds } from '../kernel/ids.ts';
import { batchOf, portionOf } from './batch.ts';
import { FolderBatchJournal } from './batch-journal.ts';
import { BatchWriter } from './batch-writer.ts';
import type { EncodedBlock } from './ports.ts';
import { RecordingInserter } from './testing.ts';

const target = { database: 'otel', table: 'otel_logs' } as const;
const block = (text: string): EncodedBlock => {
  return { table: 'otel_logs', rows: text.length, bytes: Buffer.from(text), digest: `digest-${text}` };
};
const batch = batchOf(target, [
  portionOf(target, [block('a\nb'), block('')], 1, 'x'),
  portionOf(target, [block('c')], 2, 'y'),
]);

let folder: string;
let journal: FolderBatchJournal;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-journal-'));
  journal = new FolderBatchJournal(folder);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a journal of batches', () => {
  it('holds what has begun and not ended, as it was', async () => {
    const other = batchOf(target, [portionOf(target, [block('other')], 3, 'z')]);
    await journal.begin(batch);
    await journal.begin(other);
    await journal.end(other);
    const [left, ...more] = new FolderBatchJournal(folder).left(7);
    expect(more).toEqual([]);
    expect(left).toEqual({
      ...batch,
      isInDoubt: true,
      portions: batch.portions.map((portion) => ({ ...portion, addedMs: 7 })),
    });
  });

  it('drops a batch that was cut off: its insert had not begun', async () => {
    await journal.begin(batch);
    const [name = ''] = readdirSync(folder);
    const whole = readFileSync(join(folder, name)).length;
    for (const length of [0, 5, whole - 1]) {
      await journal.begin(batch);
      truncateSync(join(folder, name), length);
      expect(journal.left(0)).toEqual([]);
      expect(readdirSync(folder)).toEqual([]);
    }
  });

  it('is no obstacle when it cannot be written', async () => {
    rmSync(folder, { recursive: true });
    await journal.begin(batch);
    await journal.end(batch);
  });
});

describe('after a crash', () => {
  it('a request is stored once, whether its batch had been committed or not', async () => {
    for (const isCommitted of [true, false]) {
      const stored = new Map<string, string>();
      const clock = new FakeClock();
      const inserter = new RecordingInserter();
      const crashing = new BatchWriter({ inserter, clock, ids: randomIds, journal });
      inserter.answer = ({ token, blocks }) => {
        if (isCommitted) stored.set(token, blocks.join());
        return new Promise(() => {});
      };
      for (const text of ['a', 'b']) void crashing.add('otel', [block(text)]);
      await clock.advance(200);
      await expect.poll(() => inserter.attempts.length).toBe(1);

      const next = new RecordingInserter();
      next.answer = ({ token, blocks }) => void (stored.has(token) || stored.set(token, blocks.join()));
      const left = journal.left(clock.nowMs());
      const writer = new BatchWriter({ inserter: next, clock, ids: randomIds, journal, left });
      const again = writer.add('otel', [block('b')]);
      await clock.advance(5_000);
      await again;
      expect([...stored.values()]).toEqual(['a,b']);
      await expect.poll(() => readdirSync(folder)).toEqual([]);
      expect(writer.heldBytes).toBe(0);
    }
  });
});
