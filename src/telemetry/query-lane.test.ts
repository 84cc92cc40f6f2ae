import { expect, it } from 'vitest';
import { QueryLane } from './query-lane.ts';

const patient = new AbortController().signal;

it('lets in as many as it is wide, then in order, and skips who gave up', async () => {
  const lane = new QueryLane(1);
  const order: string[] = [];
  const leave = await lane.enter(patient);
  const impatient = new AbortController();
  const gaveUp = lane.enter(impatient.signal);
  const waiting = ['first', 'second'].map(async (name) => {
    const leaveAgain = await lane.enter(patient);
    order.push(name);
    leaveAgain?.();
  });
  impatient.abort();
  expect(await gaveUp).toBeUndefined();
  expect(order).toEqual([]);
  leave?.();
  await Promise.all(waiting);
  expect(order).toEqual(['first', 'second']);
  expect(await lane.enter(patient)).toBeTypeOf('function');
});

it('lets nobody in who gave up before', async () => {
  const lane = new QueryLane(1);
  expect(await lane.enter(AbortSignal.abort())).toBeUndefined();
  expect(await lane.enter(patient)).toBeTypeOf('function');
});
