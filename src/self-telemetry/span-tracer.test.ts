import { describe, expect, it } from 'vitest';
import { FakeClock } from '../kernel/fake-clock.ts';
import type { FinishedSpan } from '../kernel/tracer.ts';
import { RandomSpanIds } from './span-ids.ts';
import { SpanTracer } from './span-tracer.ts';

function setUp() {
  const clock = new FakeClock(0);
  let made = 0;
  const ids = { traceId: () => `trace ${++made}`, spanId: () => `span ${++made}` };
  const tracer = new SpanTracer({ clock, ids });
  const spans: FinishedSpan[] = [];
  tracer.recordTo((span) => void spans.push(span));
  const idsOf = (name: string) => {
    const span = spans.find((each) => each.name === name);
    return [span?.traceId, span?.spanId, span?.parentSpanId];
  };
  return { clock, tracer, spans, idsOf };
}

describe('spans', () => {
  it('what is begun within one is a part of it, also after a pause; what comes after is not', async () => {
    const { clock, tracer, idsOf } = setUp();
    const work = tracer.within({ name: 'outer', kind: 'server' }, async () => {
      await new Promise<void>((resolve) => clock.after(10, resolve));
      await tracer.within({ name: 'inner', kind: 'client' }, async () => {});
    });
    await clock.advance(10);
    await work;
    await tracer.within({ name: 'next', kind: 'internal' }, async () => {});
    const [traceId, spanId, parent] = idsOf('outer');
    expect(parent).toBeUndefined();
    expect(idsOf('inner')).toEqual([traceId, expect.anything(), spanId]);
    expect(idsOf('next')[0]).not.toBe(traceId);
    expect(tracer.current()).toBeUndefined();
  });

  it('two that run side by side keep their parts apart', async () => {
    const { tracer, idsOf } = setUp();
    const one = (name: string) =>
      tracer.within({ name, kind: 'server' }, async () => {
        await Promise.resolve();
        await tracer.within({ name: `part of ${name}`, kind: 'internal' }, async () => {});
      });
    await Promise.all([one('a'), one('b')]);
    for (const name of ['a', 'b']) expect(idsOf(`part of ${name}`)[2]).toBe(idsOf(name)[1]);
  });

  it('a parent from elsewhere counts before the one under way', async () => {
    const { tracer, idsOf } = setUp();
    await tracer.within({ name: 'outer', kind: 'internal' }, () =>
      tracer.within({ name: 'reported', kind: 'client', parent: { traceId: 't', spanId: 's' } }, async () => {}),
    );
    expect(idsOf('reported')).toEqual(['t', expect.anything(), 's']);
  });

  it('some are reported only when they have parts', async () => {
    const { tracer, spans } = setUp();
    const start = { kind: 'internal', onlyWithParts: true } as const;
    await tracer.within({ ...start, name: 'alone' }, async () => {});
    await tracer.within({ ...start, name: 'whole' }, () =>
      tracer.within({ name: 'part', kind: 'client' }, async () => {}),
    );
    expect(spans.map(({ name }) => name)).toEqual(['part', 'whole']);
  });

  it('keep their times, their attributes, and whether they failed', async () => {
    const { clock, tracer, spans } = setUp();
    const reported = tracer.within({ name: 'reported', kind: 'client', attributes: { a: 1 } }, async (running) => {
      await new Promise<void>((resolve) => clock.after(5, resolve));
      running.set({ b: 2 });
      running.fail();
      return 'answer';
    });
    await clock.advance(5);
    expect(await reported).toBe('answer');
    const thrown = tracer.within({ name: 'thrown', kind: 'client', startMs: 2 }, () => Promise.reject(new Error('x')));
    await expect(thrown).rejects.toThrow('x');
    expect(spans).toMatchObject([
      { name: 'reported', startMs: 0, endMs: 5, failed: true, attributes: { a: 1, b: 2 } },
      { name: 'thrown', startMs: 2, endMs: 5, failed: true },
    ]);
  });
});

it('ids are hex of their lengths, and different', () => {
  const ids = new RandomSpanIds();
  const made = Array.from({ length: 2_000 }, () => [ids.traceId(), ids.spanId()]).flat();
  expect(new Set(made).size).toBe(4_000);
  for (const id of made) expect(id).toMatch(/^([0-9a-f]{32}|[0-9a-f]{16})$/);
});
