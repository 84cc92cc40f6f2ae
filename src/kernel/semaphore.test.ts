import { expect, it } from 'vitest';
import { Semaphore } from './semaphore.ts';

const patient = new AbortController().signal;

it('admits as many as its width, then in order, and skips cancelled ones', async () => {
  const semaphore = new Semaphore(1);
  const order: string[] = [];
  const release = await semaphore.acquireUnless(patient);
  const impatient = new AbortController();
  const gaveUp = semaphore.acquireUnless(impatient.signal);
  const waiting = ['first', 'second'].map((name) => semaphore.run(async () => order.push(name)));
  impatient.abort();
  expect(await gaveUp).toBeUndefined();
  expect(order).toEqual([]);
  release?.();
  await Promise.all(waiting);
  expect(order).toEqual(['first', 'second']);
  expect(semaphore.isIdle).toBe(true);
});

it('does not admit a cancelled caller', async () => {
  const semaphore = new Semaphore(1);
  expect(await semaphore.acquireUnless(AbortSignal.abort())).toBeUndefined();
  expect(semaphore.isIdle).toBe(true);
});

it('a task that fails gives its place back', async () => {
  const semaphore = new Semaphore(1);
  const failing = semaphore.run(() => Promise.reject(new Error('no')));
  const next = semaphore.run(async () => 'done');
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('done');
  expect(semaphore.isIdle).toBe(true);
});
