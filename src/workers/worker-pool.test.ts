import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../kernel/clock.ts';
import { inlineWorkers } from '../kernel/inline-workers.ts';
import { double, environment, fail, fill, reverse, spin } from './testing/tasks.ts';
import { threadProgram } from './testing/thread-program.ts';
import { WorkerPool, type WorkerPoolOptions } from './worker-pool.ts';

const pools: WorkerPool[] = [];

const file = threadProgram(join(import.meta.dirname, 'testing/program.ts'));

function newPool(options: Partial<WorkerPoolOptions> = {}): WorkerPool {
  const pool = new WorkerPool({ file, clock: systemClock, threadsMax: 2, ...options });
  pools.push(pool);
  return pool;
}

const ada = { tenantId: 'ada' };
const bob = { tenantId: 'bob' };

afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
});

describe('the worker pool', () => {
  it('runs many tasks and answers each with its own output', async () => {
    const pool = newPool();
    const inputs = Array.from({ length: 40 }, (_, index) => index);
    const outputs = await Promise.all(inputs.map((input) => pool.run(double, input, ada)));
    expect(outputs).toEqual(inputs.map((input) => input * 2));
  });

  it('answers what the double without threads answers', async () => {
    const both = [newPool(), inlineWorkers].map((workers) => workers.run(double, 21, ada));
    expect(await Promise.all(both)).toEqual([42, 42]);
  });

  it('reports what a task threw, and continues', async () => {
    const pool = newPool({ threadsMax: 1 });
    await expect(pool.run(fail, 'this is wrong', ada)).rejects.toThrow('this is wrong');
    expect(await pool.run(double, 2, ada)).toBe(4);
  });

  it('moves buffers in both ways', async () => {
    const bytes = Uint8Array.from([1, 2, 3]);
    const reversed = await newPool().run(reverse, bytes, { ...ada, moved: [bytes.buffer] });
    expect([...reversed]).toEqual([3, 2, 1]);
    expect(bytes.length).toBe(0);
  });

  it('stops a task that never ends at its deadline, and its thread is replaced', async () => {
    const pool = newPool({ threadsMax: 1 });
    await expect(pool.run(spin, null, { ...ada, deadlineMs: 50 })).rejects.toMatchObject({ reason: 'deadline' });
    expect(await pool.run(double, 2, ada)).toBe(4);
  });

  it('stops a task that fills its heap, and the process lives', async () => {
    const pool = newPool({ threadsMax: 1, heapMegabytesMax: 32 });
    await expect(pool.run(fill, null, { ...ada, deadlineMs: 60_000 })).rejects.toMatchObject({ reason: 'memory' });
    expect(await pool.run(double, 2, ada)).toBe(4);
  });

  it('serves others while one tenant holds all that it may', async () => {
    const pool = newPool();
    const hanging = [1, 2, 3].map(() => pool.run(spin, null, { ...ada, deadlineMs: 60_000 }).catch(() => 'stopped'));
    expect(await pool.run(double, 21, bob)).toBe(42);
    await pool.close();
    expect(await Promise.all(hanging)).toEqual(['stopped', 'stopped', 'stopped']);
  });

  it('rejects tasks beyond the queue limit, and drops cancelled ones', async () => {
    const pool = newPool({ waitingPerTenantMax: 1 });
    const running = pool.run(spin, null, { ...ada, deadlineMs: 200 }).catch(() => 'stopped');
    const gone = pool.run(double, 1, { ...ada, signal: AbortSignal.abort() });
    await expect(pool.run(double, 1, ada)).rejects.toThrow('too many tasks');
    await expect(gone).rejects.toMatchObject({ reason: 'aborted' });
    expect(await running).toBe('stopped');
  });

  it('gives threads nothing of the environment', async () => {
    expect(await newPool().run(environment, null, ada)).toEqual([]);
  });
});
