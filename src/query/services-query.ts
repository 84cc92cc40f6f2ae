import type { TimeRange, WhereLanguage } from './chart-query.ts';

/** Spans of a trace source that measure services. */
interface SpansQuery {
  range: TimeRange;
  /** User text in `whereLanguage`; empty matches everything. */
  where: string;
  whereLanguage: WhereLanguage;
}

/**
 * Which spans measure a service: those that receive its work (kinds SERVER and CONSUMER), those without a parent, or
 * all.
 */
export type ServiceBasis = 'entry' | 'root' | 'all';

/** Rates, errors and durations of services, or of the operations of one. */
export interface ServicesQuery extends SpansQuery {
  /** Within the range: where the second of two periods starts, which are measured apart. */
  currentFromMs: number;
  groupedBy: 'service' | 'operation';
  /** Each is measured separately. */
  bases: readonly ServiceBasis[];
  /** Only these services; none = all. */
  services: readonly string[];
  /** Most rows; there are up to two of each group. */
  rowsMax: number;
}

/** What goes wrong within a service. */
export interface ServiceErrorsQuery extends SpansQuery {
  service: string;
  /** Characters of a message that are read. */
  messageMax: number;
  rowsMax: number;
}

/** Calls between services, and to what sends no spans. */
export interface ServiceMapQuery extends SpansQuery {
  /** How much earlier than the range spans may begin whose caller began within it: clocks differ. */
  beforeMs: number;
  /** How much later. */
  afterMs: number;
  /** Only of one trace in `sampledTraceOf`; the source must have the sample (`hasSampledTraces`). */
  isSampled?: true;
  rowsMax: number;
}
