import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { ByteBudget } from '../kernel/byte-budget.ts';
import { FakeClock } from '../kernel/fake-clock.ts';
import { type BodyTerms, readBody } from './read-body.ts';

function begin(terms: Partial<BodyTerms> = {}) {
  const clock = new FakeClock();
  const budget = new ByteBudget({ totalBytesMax: 100, perHolderBytesMax: 60 });
  const body = new PassThrough();
  const held = budget.hold('ada');
  const reading = readBody(body, { announcedBytes: undefined, bytesMax: 50, timeoutMs: 1000, held, clock, ...terms });
  const outcome = reading.then(String, (error) => error.code as string);
  return { body, budget, clock, outcome };
}

describe('reading a body', () => {
  it('joins what comes, and holds its bytes until they are given back', async () => {
    const { body, budget, outcome } = begin({ announcedBytes: 6 });
    body.write('abc');
    body.end('def');
    expect(await outcome).toBe('abcdef');
    expect(budget.total).toBe(6);
  });

  it('immediately rejects a body that is announced as too long, and one that becomes too long', async () => {
    expect(await begin({ announcedBytes: 51 }).outcome).toBe('payload_too_large');
    const { body, budget, outcome } = begin();
    body.write('x'.repeat(51));
    expect(await outcome).toBe('payload_too_large');
    expect(budget.total).toBe(0);
  });

  it('keeps reading a rejected body, so that the client can read the response', async () => {
    const { body, outcome } = begin({ announcedBytes: 1_000_000 });
    await outcome;
    const sent = new Promise((resolve) => body.once('end', resolve));
    for (let count = 0; count < 100; count++) body.write('x'.repeat(10_000));
    body.end();
    await sent;
  });

  it('rejects a body that does not complete in time, and holds nothing of it', async () => {
    const { body, budget, clock, outcome } = begin();
    body.write('abc');
    await clock.advance(1000);
    expect([await outcome, budget.total]).toEqual(['request_timeout', 0]);
  });

  it('rejects what exceeds the budget', async () => {
    const { body, budget, outcome } = begin({ bytesMax: 1000 });
    budget.hold('ada').grow(50);
    body.write('x'.repeat(11));
    expect(await outcome).toBe('rate_limited');
    const other = begin({ bytesMax: 1000 });
    other.budget.hold('bob').grow(60);
    other.budget.hold('eve').grow(38);
    other.body.write('xyz');
    expect(await other.outcome).toBe('overloaded');
  });

  it('rejects a body that ends before its announced length, or breaks off', async () => {
    const short = begin({ announcedBytes: 5 });
    short.body.end('abc');
    expect(await short.outcome).toBe('request_invalid');
    const broken = begin({ announcedBytes: 5 });
    broken.body.write('abc');
    broken.body.destroy();
    expect([await broken.outcome, broken.budget.total]).toEqual(['request_invalid', 0]);
  });
});
