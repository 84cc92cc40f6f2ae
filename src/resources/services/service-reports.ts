import {
  type Service,
  type ServiceError,
  type ServiceErrorsRequest,
  type ServiceListMeta,
  type ServiceOperation,
  type ServiceOperationsRequest,
  type ServicesRequest,
  serviceLimits,
} from '../../contract/services.ts';
import type { Clock } from '../../kernel/clock.ts';
import { compileServiceErrors, compileServices } from '../../query/compile-services.ts';
import type { ServiceBasis, ServicesQuery } from '../../query/services-query.ts';
import type { QueryResult } from '../../telemetry/ports.ts';
import { readInstantRange } from '../charts/request/instant-range.ts';
import { comparePeriods, groupsOf, type MeasuredGroup, unitsOf } from './measured-groups.ts';
import { presentErrors } from './present-errors.ts';
import { openSpans, type SpanReadingDeps } from './read-span-source.ts';

export interface ServiceReportsDeps extends SpanReadingDeps {
  clock: Clock;
}

interface Listed<Item> {
  items: Item[];
  meta: ServiceListMeta;
}

/** Groups whose rows are read; services and operations beyond are those with fewest spans. */
const groupsMax = 5000;
const noEntry: readonly ServiceBasis[] = ['root', 'all'];

/** What services do: how much, how well and how fast; from the spans of a trace source. */
export class ServiceReports {
  readonly #deps: ServiceReportsDeps;

  constructor(deps: ServiceReportsDeps) {
    this.#deps = deps;
  }

  /**
   * Exact over the spans that are stored. Throws `source_not_found`, `connection_not_found`, `query_invalid` with path
   * and position, `query_timeout`, `query_failed`, `engine_unavailable`.
   */
  list(tenantId: string, body: ServicesRequest, signal: AbortSignal): Promise<Listed<Service>> {
    return this.#measure(tenantId, body, { groupedBy: 'service', services: [] }, signal);
  }

  /** Throws as `list` does. */
  operations(tenantId: string, body: ServiceOperationsRequest, signal: AbortSignal): Promise<Listed<ServiceOperation>> {
    return this.#measure(tenantId, body, { groupedBy: 'operation', services: [body.service] }, signal);
  }

  /** Throws as `list` does. */
  async errors(tenantId: string, body: ServiceErrorsRequest, signal: AbortSignal): Promise<Listed<ServiceError>> {
    const range = readInstantRange(body, this.#deps.clock.nowMs());
    const { open, run } = await openSpans(this.#deps, tenantId, body.sourceId, signal);
    const { where = '', whereLanguage = 'lucene', service } = body;
    const query = { range, where, whereLanguage, service, messageMax: serviceLimits.messageLength, rowsMax: groupsMax };
    const result = await run(() => compileServiceErrors(query, open.schema, open.guards));
    return listed(presentErrors(result), body.limit, [result]);
  }

  async #measure(
    tenantId: string,
    body: ServicesRequest,
    { groupedBy, services }: Pick<ServicesQuery, 'groupedBy' | 'services'>,
    signal: AbortSignal,
  ): Promise<Listed<ServiceOperation>> {
    const range = readInstantRange(body, this.#deps.clock.nowMs());
    const { source, open, run } = await openSpans(this.#deps, tenantId, body.sourceId, signal);
    const units = unitsOf(range, source.durationPrecision);
    const { where = '', whereLanguage = 'lucene' } = body;
    const read = async (bases: readonly ServiceBasis[], of: readonly string[]) => {
      const query: ServicesQuery = {
        range: { startMs: 2 * range.startMs - range.endMs, endMs: range.endMs },
        ...{ currentFromMs: range.startMs, where, whereLanguage, groupedBy, bases, services: of },
        rowsMax: 2 * groupsMax,
      };
      const result = await run(() => compileServices(query, open.schema, open.guards));
      return { result, groups: groupsOf(result, bases, units) };
    };
    const first = await read(['entry'], services);
    const without = groupedBy === 'service' ? withoutEntry(first.groups) : hasEntry(first.groups) ? [] : services;
    if (without.length === 0 || first.groups.length === 0) {
      return listed(
        comparePeriods(first.groups, () => 'entry'),
        body.limit,
        [first.result],
      );
    }
    const second = await read(noEntry, without);
    const basisOf = basesOf(groupedBy, second.groups, new Set(without));
    return listed(comparePeriods([...first.groups, ...second.groups], basisOf), body.limit, [
      first.result,
      second.result,
    ]);
  }
}

function hasEntry(groups: readonly MeasuredGroup[]): boolean {
  return groups.some(({ measures }) => (measures.get('entry')?.requests ?? 0) > 0);
}

/** In neither period. */
function withoutEntry(groups: readonly MeasuredGroup[]): string[] {
  const names = [...new Set(groups.map(({ name }) => name))];
  const withEntry = new Set(groups.filter((group) => hasEntry([group])).map(({ name }) => name));
  return names.filter((name) => !withEntry.has(name));
}

/** A service, with all its operations, is measured by its spans without a parent if it has any. */
function basesOf(
  groupedBy: ServicesQuery['groupedBy'],
  groups: readonly MeasuredGroup[],
  without: ReadonlySet<string>,
): (name: string) => ServiceBasis {
  const rooted = groups.filter(({ measures }) => (measures.get('root')?.requests ?? 0) > 0);
  if (groupedBy === 'operation') return () => (rooted.length > 0 ? 'root' : 'all');
  const names = new Set(rooted.map(({ name }) => name));
  return (name) => (!without.has(name) ? 'entry' : names.has(name) ? 'root' : 'all');
}

function listed<Item>(
  items: readonly Item[],
  limit: number = serviceLimits.listDefault,
  results: readonly QueryResult[],
): Listed<Item> {
  const sum = (of: (each: QueryResult) => number): number => results.reduce((all, each) => all + of(each), 0);
  return {
    items: items.slice(0, limit),
    meta: { total: items.length, rowsRead: sum((each) => each.rowsRead), elapsedMs: sum((each) => each.elapsedMs) },
  };
}
