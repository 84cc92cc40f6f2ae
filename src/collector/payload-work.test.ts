import { afterAll, describe, expect, it } from 'vitest';
import { systemClock } from '../kernel/clock.ts';
import { inlineWorkers } from '../kernel/inline-workers.ts';
import { TaskStoppedError, type Workers, WorkersBusyError } from '../kernel/workers.ts';
import { SinkFullError } from '../telemetry/ports.ts';
import { threadProgram } from '../workers/testing/thread-program.ts';
import { WorkerPool } from '../workers/worker-pool.ts';
import type { DecodeOrder } from './decode-tasks.ts';
import { MalformedPayloadError, PayloadTooLargeError } from './intake-errors.ts';
import { PayloadWork } from './payload-work.ts';
import { lz4Of, snappyOf } from './testing/compressed-steps.ts';

const pool = new WorkerPool({ file: threadProgram(), clock: systemClock, threadsMax: 2 });
afterAll(() => pool.close());

const away = new PayloadWork(pool);
const here = new PayloadWork(inlineWorkers);
const request = (records: number) => ({
  resourceLogs: [
    { scopeLogs: [{ logRecords: Array.from({ length: records }, (_, at) => ({ body: { intValue: at } })) }] },
  ],
});

function order(text: string): DecodeOrder {
  return { signal: 'logs', encoding: 'json', payload: Buffer.from(text), nowMs: 1_700_000_000_000, retentionDays: 30 };
}

function failing(error: Error): PayloadWork {
  const workers: Workers = { run: () => Promise.reject(error) };
  return new PayloadWork(workers);
}

describe('large payloads', () => {
  const large = JSON.stringify(request(5_000));

  it('become in another thread what they become here', async () => {
    const expected = await here.decode('ada', order(large));
    const { blocks, ...counts } = await away.decode('ada', order(large));
    expect(counts).toMatchObject({ accepted: 5_000, rejected: 0, message: undefined });
    const [block] = blocks;
    expect(Buffer.from(block?.bytes ?? []).equals(expected.blocks[0]?.bytes ?? Buffer.alloc(1))).toBe(true);
    expect(block).toMatchObject({ table: 'otel_logs', rows: 5_000 });
  });

  it('move there instead of being copied', async () => {
    const sent = order(large);
    await away.decode('ada', sent);
    expect(sent.payload.byteLength).toBe(0);
  });

  it('that are malformed are rejected as such', async () => {
    await expect(away.decode('ada', order(large.slice(0, -1)))).rejects.toThrow(MalformedPayloadError);
  });

  it('are answered as retryable while no thread is free', async () => {
    await expect(failing(new WorkersBusyError()).decode('ada', order(large))).rejects.toThrow(SinkFullError);
  });

  it('that need too much memory are too large; other ends may pass', async () => {
    const stopped = (reason: 'memory' | 'deadline') =>
      failing(new TaskStoppedError(reason)).decode('ada', order(large));
    await expect(stopped('memory')).rejects.toThrow(PayloadTooLargeError);
    await expect(stopped('deadline')).rejects.toThrow(TaskStoppedError);
  });
});

it('small payloads stay here', async () => {
  const small = JSON.stringify(request(10));
  const decoded = await failing(new WorkersBusyError()).decode('ada', order(small));
  expect(decoded.accepted).toBe(10);
});

const run = [{ literal: Buffer.from('[') }, { back: 0, count: 99_999 }];

it.each([
  ['zstd', Buffer.from('KLUv/aCghgEAVQAAEFtbAQCbhjnAAg==', 'base64')],
  ['snappy', snappyOf(run)],
  ['lz4', lz4Of(run)],
] as const)('%s is decompressed in another thread', async (compression, brackets) => {
  const decompress = (bytes: Buffer, limit: number) => away.decompress('ada', { compression, bytes, limit });
  expect((await decompress(Buffer.from(brackets), 200_000)).length).toBe(100_000);
  await expect(decompress(Buffer.from(brackets), 50_000)).rejects.toThrow(PayloadTooLargeError);
  await expect(decompress(Buffer.from('nothing'), 50_000)).rejects.toThrow(MalformedPayloadError);
});
