import { describe, expect, it } from 'vitest';
import { FakeClock } from '../kernel/fake-clock.ts';
import { StoreUnavailableError } from '../kernel/store-unavailable-error.ts';
import { readinessOf } from './readiness.ts';

const fine = async () => {};

describe('readiness', () => {
  it('names each part, and the reason of one that cannot do its work', async () => {
    const metadata = () => Promise.reject(new StoreUnavailableError('metadata', 'full', '53100'));
    const readiness = readinessOf({ parts: { metadata, telemetry: fine }, clock: new FakeClock() });
    expect(await readiness.report()).toEqual({
      parts: { metadata: 'unavailable', telemetry: 'ready' },
      reasons: { metadata: 'The metadata store has no room left on its disk.' },
    });
  });

  it('says nothing that a part said in words of another system', async () => {
    const telemetry = () => Promise.reject(new Error('MARKER at 10.0.0.5'));
    const readiness = readinessOf({ parts: { telemetry }, clock: new FakeClock() });
    expect(JSON.stringify(await readiness.report())).not.toMatch(/MARKER|10\.0/);
  });

  it('answers although a part says nothing', async () => {
    const clock = new FakeClock();
    const readiness = readinessOf({ parts: { metadata: () => new Promise(() => {}), telemetry: fine }, clock });
    const report = readiness.report();
    await clock.advance(3_000);
    expect((await report).parts).toEqual({ metadata: 'unavailable', telemetry: 'ready' });
  });

  it('asks once a second, however many want to know', async () => {
    const clock = new FakeClock();
    let asked = 0;
    const parts = { metadata: async () => void asked++ };
    const readiness = readinessOf({ parts, clock });
    await Promise.all(Array.from({ length: 20 }, () => readiness.report()));
    expect(asked).toBe(1);
    await clock.advance(1_000);
    await readiness.report();
    expect(asked).toBe(2);
  });

  it('reports warnings beside parts that are ready', async () => {
    const warnings = async () => ['look here'];
    const readiness = readinessOf({ parts: { metadata: fine }, clock: new FakeClock(), warnings });
    expect(await readiness.report()).toEqual({ parts: { metadata: 'ready' }, warnings: ['look here'] });
  });
});
