import { describe, expect, it } from 'vitest';
import { FakeClock } from '../kernel/fake-clock.ts';
import { ReadBudgets } from './read-budget.ts';

const { signal } = new AbortController();
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

describe('the time that reads may take', () => {
  it('is the same for those that begin together, and over for all of them', async () => {
    const clock = new FakeClock();
    const budgets = new ReadBudgets(clock, 1_000);
    const [first, second] = [budgets.begin(signal), budgets.begin(signal)];
    await nextTurn();
    await clock.advance(500);
    const later = budgets.begin(signal);
    first.end();
    await clock.advance(500);
    await second.over;
    expect([first, second, later].map((each) => each.signal.aborted)).toEqual([true, true, false]);
  });

  it('ends nothing once all have ended, and begins anew for the next', async () => {
    const clock = new FakeClock();
    const budgets = new ReadBudgets(clock, 1_000);
    const first = budgets.begin(signal);
    first.end();
    const second = budgets.begin(signal);
    await clock.advance(1_000);
    expect([first, second].map((each) => each.signal.aborted)).toEqual([false, true]);
  });

  it('is aborted only for reads whose caller cancels', () => {
    const budgets = new ReadBudgets(new FakeClock(), 1_000);
    const caller = new AbortController();
    const [own, other] = [budgets.begin(caller.signal), budgets.begin(signal)];
    caller.abort();
    expect([own, other].map((each) => each.signal.aborted)).toEqual([true, false]);
  });
});
