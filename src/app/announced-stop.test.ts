import { describe, expect, it } from 'vitest';
import type { Readiness } from '../http/service-routes.ts';
import { FakeClock } from '../kernel/fake-clock.ts';
import { AnnouncedStop } from './announced-stop.ts';

const ready: Readiness = { report: async () => ({ parts: { metadata: 'ready' } }) };
const stopping = { parts: { program: 'unavailable' }, reasons: { program: 'It is stopping.' } };

function start() {
  const clock = new FakeClock();
  const stop = new AnnouncedStop(ready, clock);
  const announced = { done: false };
  const announce = () => {
    void stop.announce().then(() => {
      announced.done = true;
    });
  };
  return { clock, stop, announced, announce };
}

describe('the announcement of a stop', () => {
  it('does not wait if there is no watcher', async () => {
    const { clock, stop, announced, announce } = start();
    await stop.report();
    await clock.advance(20_000);
    announce();
    await clock.advance(0);
    expect(announced.done).toBe(true);
    expect(await stop.report()).toEqual(stopping);
  });

  it('waits until a watcher has seen it', async () => {
    const { clock, stop, announced, announce } = start();
    expect(await stop.report()).toEqual({ parts: { metadata: 'ready' } });
    announce();
    await clock.advance(500);
    expect(announced.done).toBe(false);
    expect(await stop.report()).toEqual(stopping);
    await clock.advance(0);
    expect(announced.done).toBe(true);
  });

  it('waits a second at most', async () => {
    const { clock, stop, announced, announce } = start();
    await stop.report();
    announce();
    await clock.advance(1_000);
    expect(announced.done).toBe(true);
  });
});
