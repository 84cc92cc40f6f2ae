import { describe, expect, it } from 'vitest';
import { CleanupStack } from './cleanup-stack.ts';

/** Resolves for all once that many wait. */
function barrier(count: number): () => Promise<void> {
  const waiting: (() => void)[] = [];
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (waiting.length === count) for (const wake of waiting) wake();
    });
}

describe('the cleanup stack', () => {
  it('closes in reverse order, once, and continues after a failing close', async () => {
    const closed: string[] = [];
    const failures: string[] = [];
    const stack = new CleanupStack();
    stack.push('store', () => void closed.push('store'));
    stack.push('writer', async () => {
      closed.push('writer');
      throw new Error('no');
    });
    stack.push('listener', () => void closed.push('listener'));

    await stack.unwind((name) => failures.push(name));
    await stack.unwind((name) => failures.push(name));

    expect(closed).toEqual(['listener', 'writer', 'store']);
    expect(failures).toEqual(['writer']);
  });

  it('closes branches side by side, and what was opened before them afterwards', async () => {
    const closed: string[] = [];
    const stack = new CleanupStack();
    stack.push('store', () => void closed.push('store'));
    // Each waits for the other to begin, so that they would wait for ever if one came after the other.
    const both = barrier(2);
    for (const name of ['api', 'web']) stack.branch().push(name, () => both().then(() => void closed.push(name)));
    stack.push('announcement', () => void closed.push('announcement'));

    await stack.unwind(() => {});
    expect(closed).toEqual(['announcement', 'web', 'api', 'store']);
  });
});
