import { expect, it } from 'vitest';
import { FakeClock } from '../../kernel/fake-clock.ts';
import { ObjectEvents } from './object-events.ts';

/** About an object that no pipe is about: it is done with as soon as it is read. */
const foreign = JSON.stringify({
  Records: [
    {
      eventSource: 'aws:s3',
      eventName: 'ObjectCreated:Put',
      s3: { bucket: { name: 'lake' }, object: { key: 'out/a.json', eTag: 'x', size: 1 } },
    },
  ],
});

function eventsOver(failures: number) {
  const removed: string[] = [];
  let left = failures;
  const pages = [[{ receipt: 'r1', body: foreign }], []];
  const events = new ObjectEvents({
    queue: {
      receive: async () => pages.shift() ?? [],
      remove: async (receipts) => {
        if (left-- > 0) throw new Error('the connection broke');
        removed.push(...receipts);
      },
      hide: async () => {},
    },
    bucket: 'lake',
    isWanted: (key) => key.startsWith('in/'),
    look: async () => undefined,
    objectsMax: 10,
    waitSeconds: 1,
    clock: new FakeClock(),
    signal: new AbortController().signal,
  });
  return { events, removed };
}

it('messages that could not be removed are removed with the next ones', async () => {
  const { events, removed } = eventsOver(1);
  await expect(events.receive(true)).rejects.toThrow('broke');
  expect(removed).toEqual([]);
  await events.flush();
  expect(removed).toEqual(['r1']);
  await events.close();
  expect(removed).toEqual(['r1']);
});

it('or when the run ends, instead of coming back after two minutes', async () => {
  const { events, removed } = eventsOver(1);
  await expect(events.receive(true)).rejects.toThrow('broke');
  await events.close();
  expect(removed).toEqual(['r1']);
});
