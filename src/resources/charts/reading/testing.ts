import type { ChartQuery } from '../../../query/chart-query.ts';
import type { SourceSchema } from '../../../query/source-schema.ts';
import { testGuards } from '../../../query/testing.ts';
import { defaultSources } from '../../sources/default-sources.ts';
import type { ConnectionEngine } from './connection-engine.ts';
import { type PreparedScan, prepareScan } from './prepared-scan.ts';
import type { Scan } from './to-scans.ts';

const ids = { logs: 'logs', traces: 'traces', metrics: 'metrics' };

/** For what is planned and never run. */
const noEngine: ConnectionEngine = {
  runner: { run: () => Promise.reject(new Error('nothing runs in this test')) },
  schemas: { describe: async () => undefined },
};

/** A scan over one of the tables of the compiler's tests. */
export function testScan(query: ChartQuery, schema: SourceSchema): PreparedScan {
  const sources = defaultSources(ids, { connectionId: 'built-in', database: 'otel' });
  const source = sources.find(({ kind }) => kind === schema.kind);
  if (!source) throw new Error(`no source of kind ${schema.kind}`);
  const metricKind = query.series[0]?.metric?.kind;
  const scan: Scan = {
    sourceId: source.id,
    query,
    seriesIndexes: query.series.map((_, index) => index),
    ...(metricKind && { metricKind }),
  };
  return prepareScan({ scan, source, engine: noEngine, schema, guards: testGuards });
}
