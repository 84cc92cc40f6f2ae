import { describe, expect, it } from 'vitest';
import { CleanupStack } from './cleanup-stack.ts';

describe('the cleanup stack', () => {
  it('closes in reverse order, once, and goes on after a failing close', async () => {
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
});
