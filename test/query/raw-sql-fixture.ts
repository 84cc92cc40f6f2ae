import { systemClock } from '../../src/kernel/clock.ts';
import { CheckedStatements } from '../../src/resources/charts/raw-sql/checked-statements.ts';
import { SqlPlaces } from '../../src/resources/charts/raw-sql/sql-places.ts';
import { SqlReader } from '../../src/resources/charts/raw-sql/sql-reader.ts';
import type { SqlFrame } from '../../src/resources/charts/raw-sql/write-sql.ts';
import type { ConnectionEngine } from '../../src/resources/charts/reading/connection-engine.ts';
import type { SqlTile } from '../../src/resources/charts/request/sql-tile.ts';
import type { Source } from '../../src/resources/sources/source.ts';
import { minute, T0 } from './telemetry-fixture.ts';

/** The hour from `T0` in buckets of ten minutes. */
export const frame: SqlFrame = {
  range: { startMs: T0, endMs: T0 + 60 * minute },
  intervalMs: 10 * minute,
  originMs: 0,
  conditions: [],
  variables: new Map(),
};

export const sqlLimits = { timeoutMs: 4_000, memoryBytesMax: 512 * 1024 ** 2, resultRowsMax: 250_000 };

/** A tile without a source, unless it is given. */
export function statementTile(template: string, layout: SqlTile['layout'] = 'rows', sourceId?: string): SqlTile {
  const displayType = ({ rows: 'table', time: 'line', number: 'number' } as const)[layout];
  const plain = { fill: false, alignRange: false, comparePrevious: false };
  return { displayType, layout, template, connectionId: 'c', ...(sourceId !== undefined && { sourceId }), ...plain };
}

/** Reads statements over one engine; the tenant has these databases and this source. */
export function sqlReader(engine: ConnectionEngine, databases: readonly string[], source?: Source): SqlReader {
  const sources = {
    get: async () => {
      if (!source) throw new Error('the test has no source');
      return source;
    },
    engineOfConnection: async () => ({ engine, name: 'Store', databases }),
  };
  return new SqlReader(new SqlPlaces(sources), new CheckedStatements(systemClock, sqlLimits), sqlLimits);
}
