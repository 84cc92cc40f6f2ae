import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SearchQuery } from '../../query/search-query.ts';
import type { QueryResult } from '../../telemetry/ports.ts';
import { readNearest } from './read-nearest.ts';

const dayMs = 86_400_000;
const hourMs = 3_600_000;

/** A table of events that are nothing but their time, and the ranges that were read of it. */
class Events {
  readonly ranges: SearchQuery['range'][] = [];
  readonly #timesMs: readonly number[];
  readonly #descending: boolean;

  constructor(timesMs: readonly number[], descending: boolean) {
    this.#timesMs = timesMs.toSorted((one, other) => (descending ? other - one : one - other));
    this.#descending = descending;
  }

  read(query: SearchQuery, column = 'Timestamp'): Promise<QueryResult> {
    let asked = query;
    return readNearest(query, {
      order: [{ column, descending: this.#descending }],
      timestampColumn: 'Timestamp',
      compilePage: (page) => {
        asked = page;
        return { sql: '', params: {}, settings: {} };
      },
      run: () => Promise.resolve(this.page(asked)),
    });
  }

  page({ range, offset, limit }: SearchQuery): QueryResult {
    this.ranges.push(range);
    const inside = this.#timesMs.filter((ms) => ms >= range.startMs && ms < range.endMs);
    const before = offset > 0 ? 1 : 0;
    const column = inside.slice(offset - before, offset + limit + 1);
    const cost = { rowsRead: inside.length, bytesRead: 0, elapsedMs: 1 };
    return { names: ['k0'], types: ['Int64'], columns: [column], rows: column.length, ...cost };
  }
}

function queryOf(range: SearchQuery['range'], offset: number, limit: number): SearchQuery {
  return { range, where: '', whereLanguage: 'lucene', select: ['Body'], offset, limit };
}

describe('reading the nearest events of a range', () => {
  it('finds what reading all of the range finds, with three statements at most', async () => {
    const given = fc.record({
      timesMs: fc.array(fc.integer({ min: 0, max: 8 * dayMs - 1 }), { maxLength: 300 }),
      startMs: fc.integer({ min: 0, max: 4 * dayMs }),
      lengthMs: fc.integer({ min: 1, max: 4 * dayMs }),
      offset: fc.integer({ min: 0, max: 60 }),
      limit: fc.integer({ min: 1, max: 60 }),
      descending: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(given, async ({ timesMs, startMs, lengthMs, offset, limit, descending }) => {
        const events = new Events(timesMs, descending);
        const query = queryOf({ startMs, endMs: startMs + lengthMs }, offset, limit);
        const found = await events.read(query);
        expect(events.ranges.length).toBeLessThanOrEqual(3);
        expect(found.columns).toEqual(events.page(query).columns);
      }),
    );
  });

  it.each([true, false])('reads an eighth of a day of dense events at most (newest first: %s)', async (descending) => {
    const perMinute = Array.from({ length: 8 * 1440 }, (_, minute) => minute * 60_000);
    const events = new Events(perMinute, descending);
    await events.read(queryOf({ startMs: 0, endMs: 8 * dayMs }, 0, 100));
    const [read] = events.ranges;
    expect(events.ranges).toHaveLength(1);
    expect(read).toEqual(
      descending ? { startMs: 7.875 * dayMs, endMs: 8 * dayMs } : { startMs: 0, endMs: 0.125 * dayMs },
    );
  });

  it('reads as much more as the density of the first part calls for', async () => {
    const perHour = Array.from({ length: 8 * 24 }, (_, hour) => hour * hourMs);
    const events = new Events(perHour, true);
    await events.read(queryOf({ startMs: 0, endMs: 8 * dayMs }, 0, 10));
    expect(events.ranges.map(({ startMs }) => (8 * dayMs - startMs) / hourMs)).toEqual([3, 22]);
  });

  it('reads ranges of up to three hours, and those in another order, as a whole', async () => {
    const short = new Events([hourMs], true);
    await short.read(queryOf({ startMs: 0, endMs: 3 * hourMs }, 0, 10));
    const byService = new Events([hourMs], true);
    await byService.read(queryOf({ startMs: 0, endMs: dayMs }, 0, 10), 'ServiceName');
    expect([...short.ranges, ...byService.ranges]).toEqual([
      { startMs: 0, endMs: 3 * hourMs },
      { startMs: 0, endMs: dayMs },
    ]);
  });

  it('counts what all statements read', async () => {
    const events = new Events([0, 1, 8 * dayMs - 1], true);
    const found = await events.read(queryOf({ startMs: 0, endMs: 8 * dayMs }, 0, 10));
    expect([found.rowsRead, found.elapsedMs]).toEqual([4, 2]);
  });
});
