import { expect, it } from 'vitest';
import { FakeClock } from './fake-clock.ts';
import { RecentAnswers } from './recent-answers.ts';

function counting() {
  const clock = new FakeClock();
  const answers = new RecentAnswers<string>(clock, { keepMs: 1_000, keptMax: 2 });
  const asked: string[] = [];
  const get = (key: string) =>
    answers.get(key, async () => {
      asked.push(key);
      if (key === 'bad') throw new Error('no');
      return `${key} ${asked.length}`;
    });
  return { clock, asked, get };
}

it('asks once within its time, also for callers at the same moment', async () => {
  const { clock, asked, get } = counting();
  expect(await Promise.all([get('a'), get('a')])).toEqual(['a 1', 'a 1']);
  clock.advance(999);
  expect(await get('a')).toBe('a 1');
  clock.advance(1);
  expect(await get('a')).toBe('a 2');
  expect(asked).toEqual(['a', 'a']);
});

it('keeps no failure', async () => {
  const { asked, get } = counting();
  await expect(get('bad')).rejects.toThrow('no');
  await expect(get('bad')).rejects.toThrow('no');
  expect(asked).toHaveLength(2);
});

it('keeps a bounded number; the oldest leaves', async () => {
  const { asked, get } = counting();
  for (const key of ['a', 'b', 'c', 'b', 'a']) await get(key);
  expect(asked).toEqual(['a', 'b', 'c', 'a']);
});
