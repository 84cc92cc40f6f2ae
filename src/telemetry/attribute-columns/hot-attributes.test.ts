import { describe, expect, it } from 'vitest';
import type { AttributeRead } from '../../query/attribute-reads.ts';
import { HotAttributes, type Offer } from './hot-attributes.ts';

const read = (key: string): AttributeRead => ({
  database: 'otel',
  table: 'otel_logs',
  attribute: { maps: ['LogAttributes'], key },
  form: 'text',
});

class FakeMaker {
  readonly offered: [key: string, rowsRead: number][] = [];
  answer: (rowsRead: number) => Offer = () => ({ outcome: 'made' });

  async offer({ attribute }: AttributeRead, rowsRead: number): Promise<Offer> {
    this.offered.push([attribute.key, rowsRead]);
    return this.answer(rowsRead);
  }
}

function world() {
  const maker = new FakeMaker();
  const failures: unknown[] = [];
  const attributes = new HotAttributes(maker, (error) => failures.push(error));
  const note = async (key: string, rowsRead: number) => {
    attributes.record([read(key)], rowsRead);
    // The fake answers immediately, so everything that follows happens before the next turn.
    await new Promise(setImmediate);
  };
  return { maker, failures, note };
}

describe('attributes that are much read', () => {
  it('are offered once two million rows were read for them, each on its own account', async () => {
    const { maker, note } = world();
    await note('a', 1_500_000);
    await note('b', 1_500_000);
    expect(maker.offered).toEqual([]);
    await note('a', 600_000);
    expect(maker.offered).toEqual([['a', 2_100_000]]);
  });

  it.each<Offer['outcome']>(['made', 'rejected'])('are not offered again once they are %s', async (outcome) => {
    const { maker, note } = world();
    if (outcome === 'rejected') maker.answer = () => ({ outcome });
    for (let time = 0; time < 5; time++) await note('a', 10_000_000);
    expect(maker.offered).toHaveLength(1);
  });

  it('wait until as many rows were read as the table has', async () => {
    const { maker, note } = world();
    maker.answer = (rowsRead) => (rowsRead < 9_000_000 ? { outcome: 'tooSoon', rows: 9_000_000 } : { outcome: 'made' });
    for (let time = 0; time < 12; time++) await note('a', 1_000_000);
    expect(maker.offered).toEqual([
      ['a', 2_000_000],
      ['a', 9_000_000],
    ]);
  });

  it('are offered again after a failure, at ever longer intervals; the failure is reported', async () => {
    const { maker, failures, note } = world();
    maker.answer = () => {
      throw new Error('the engine is away');
    };
    for (let time = 0; time < 8; time++) await note('a', 1_000_000);
    expect(maker.offered.map(([, rowsRead]) => rowsRead)).toEqual([2_000_000, 4_000_000, 8_000_000]);
    expect(failures).toHaveLength(3);
  });
});
