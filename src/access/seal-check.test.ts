import { describe, expect, it } from 'vitest';
import { FakeSealStore } from './fake-seal-store.ts';
import { isBoxOf, takeBox } from './seal-check.ts';
import { SecretBox } from './secret-box.ts';

const [first, second] = [new SecretBox('a'.repeat(48)), new SecretBox('b'.repeat(48))];

describe('the seal of a store', () => {
  it('is the first key’s, and no other key opens it', async () => {
    const seals = new FakeSealStore();
    expect(await isBoxOf(first, seals)).toBe(true);
    expect(await isBoxOf(second, seals)).toBe(false);
    expect(await isBoxOf(first, seals)).toBe(true);
  });

  it('is opened by one of two processes that bring different keys to a new store', async () => {
    const seals = new FakeSealStore();
    const outcomes = await Promise.all([isBoxOf(first, seals), isBoxOf(second, seals)]);
    expect(outcomes.filter((isOpened) => isOpened)).toHaveLength(1);
  });

  it('can be given to another key on purpose', async () => {
    const seals = new FakeSealStore();
    await isBoxOf(first, seals);
    await takeBox(second, seals);
    expect(await isBoxOf(second, seals)).toBe(true);
    expect(await isBoxOf(first, seals)).toBe(false);
  });

  it('counts a damaged text as another key’s', async () => {
    const seals = new FakeSealStore();
    seals.sealed = 'v1.damaged';
    expect(await isBoxOf(first, seals)).toBe(false);
  });
});
