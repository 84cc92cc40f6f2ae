import { describe, expect, it } from 'vitest';
import { type EditHistory, edited, redone, undone } from './edit-history.ts';

const begin = (now: number): EditHistory<number> => ({ past: [], now, future: [] });

describe('edits that can be taken back', () => {
  it('any walk of edits, undos and redos ends where a list with a cursor does', () => {
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((seed / 2_147_483_648) * below);
    };
    for (let walk = 0; walk < 50; walk++) {
      let history = begin(0);
      let model = [0];
      let at = 0;
      for (let step = 1; step <= 40; step++) {
        const action = random(3);
        if (action === 0) {
          history = edited(history, step);
          model = [...model.slice(0, at + 1), step];
          at += 1;
        } else if (action === 1) {
          history = undone(history);
          at = Math.max(0, at - 1);
        } else {
          history = redone(history);
          at = Math.min(model.length - 1, at + 1);
        }
        expect([...history.past, history.now, ...history.future]).toEqual(model);
        expect(history.now).toBe(model[at]);
      }
    }
  });

  it('the last 50 are kept', () => {
    let history = begin(0);
    for (let step = 1; step <= 60; step++) history = edited(history, step);
    for (let step = 0; step < 60; step++) history = undone(history);
    expect(history.now).toBe(10);
  });
});
