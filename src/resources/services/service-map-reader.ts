import {
  type ServiceEdge,
  type ServiceMap,
  type ServiceMapMeta,
  type ServiceMapRequest,
  serviceLimits,
} from '../../contract/services.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { TimeRange } from '../../query/chart-query.ts';
import { compileCalls, compileOutsideCalls, compileServices } from '../../query/compile-services.ts';
import { hasSampledTraces, sampledTraceOf } from '../../query/sampled-traces.ts';
import type { ServiceMapQuery, ServicesQuery } from '../../query/services-query.ts';
import type { QueryResult } from '../../telemetry/ports.ts';
import { readInstantRange } from '../charts/request/instant-range.ts';
import { arrivedCalls, mapOf, outsideCalls } from './map-edges.ts';
import { cellsOf, unitsOf } from './measured-groups.ts';
import { openSpans, type SpanReadingDeps, type SpanSource } from './read-span-source.ts';

/** Of one statement; calls beyond are the rarest. */
const edgesMax = 10_000;
/** How far the clock of a callee may be behind. */
const beforeMs = 60_000;
/** How much later than its caller a callee may begin. */
const afterMs = 600_000;

/** Of a range with more spans, a sample of the traces is read where the table has one. */
export const exactSpansMax = 1_000_000;

export interface ServiceMapReaderDeps extends SpanReadingDeps {
  clock: Clock;
  /** Smaller in tests. */
  exactSpansMax?: number;
}

/** Finds the calls between services in the spans of a trace source. */
export class ServiceMapReader {
  readonly #deps: ServiceMapReaderDeps;

  constructor(deps: ServiceMapReaderDeps) {
    this.#deps = deps;
  }

  /**
   * Exact for up to `exactSpansMax` spans; `meta.traceShare` says which share of the traces was read. A call belongs to the range in which the caller's span begins, so that maps of adjacent ranges add up; what a
   * consumer receives to that in which its own begins. Throws as `ServiceReports.list` does.
   */
  async read(
    tenantId: string,
    body: ServiceMapRequest,
    signal: AbortSignal,
  ): Promise<{ map: ServiceMap; meta: ServiceMapMeta }> {
    const range = readInstantRange(body, this.#deps.clock.nowMs());
    const spans = await openSpans(this.#deps, tenantId, body.sourceId, signal);
    const { where = '', whereLanguage = 'lucene', limit = serviceLimits.edgesDefault } = body;
    const { schema, guards } = spans.open;
    const named = await servicesOf(spans, range);
    const isSampled = named.spans > (this.#deps.exactSpansMax ?? exactSpansMax) && hasSampledTraces(schema);
    const units = {
      ...unitsOf(range, spans.source.durationPrecision),
      ...(isSampled && { tracesPerRead: sampledTraceOf }),
    };
    const query: ServiceMapQuery = {
      ...{ range, where, whereLanguage, beforeMs, afterMs, rowsMax: edgesMax },
      ...(isSampled && { isSampled }),
    };
    const arrived = await spans.run(() => compileCalls(query, schema, guards));
    const outgoing = await spans.run(() => compileOutsideCalls(query, 'outgoing', schema, guards));
    const incoming = await spans.run(() => compileOutsideCalls(query, 'incoming', schema, guards));
    const of = { units, services: named.services };
    const all = [
      ...arrivedCalls(arrived, units),
      ...outsideCalls(outgoing, 'outgoing', of),
      ...outsideCalls(incoming, 'incoming', of),
    ];
    const edges = all.filter(isNamed).sort(byRequests);
    const results = [named.result, arrived, outgoing, incoming];
    return {
      map: mapOf(edges.slice(0, limit), named.services),
      meta: {
        total: edges.length,
        traceShare: isSampled ? 1 / sampledTraceOf : 1,
        unnamed: sum(all.filter((edge) => !isNamed(edge)).map(({ requests }) => requests)),
        rowsRead: sum(results.map(({ rowsRead }) => rowsRead)),
        elapsedMs: sum(results.map(({ elapsedMs }) => elapsedMs)),
      },
    };
  }
}

/** All that sent spans, whatever the filter. */
async function servicesOf({ open, run }: SpanSource, range: TimeRange) {
  const query: ServicesQuery = {
    ...{ range, where: '', whereLanguage: 'lucene', currentFromMs: range.startMs, groupedBy: 'service' },
    ...{ bases: [], services: [], rowsMax: serviceLimits.services },
  };
  const result: QueryResult = await run(() => compileServices(query, open.schema, open.guards));
  const cell = cellsOf(result);
  const rows = Array.from({ length: result.rows }, (_, row) => row);
  return {
    result,
    services: new Set(rows.map((row) => String(cell('g', row) ?? ''))),
    spans: sum(rows.map((row) => Number(cell('spans', row)))),
  };
}

function isNamed({ from, to }: ServiceEdge): boolean {
  return [from, to].every(({ kind, name }) => kind === 'service' || name !== '');
}

function byRequests(a: ServiceEdge, b: ServiceEdge): number {
  return b.requests - a.requests || (keyOf(a) < keyOf(b) ? -1 : 1);
}

function keyOf({ from, to, measuredBy }: ServiceEdge): string {
  return JSON.stringify([from.name, to.name, from.kind, to.kind, measuredBy]);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, each) => all + each, 0);
}
