import {
  completionLimits,
  type FieldValue,
  type MetricNameRecord,
  type SourceField,
  type ValuesRequest,
} from '../../contract/completion.ts';
import type { Clock } from '../../kernel/clock.ts';
import { RecentAnswers } from '../../kernel/recent-answers.ts';
import type { TimeRange } from '../../query/chart-query.ts';
import { compileAttributeKeys, compileFieldValues, compileMetricNames } from '../../query/compile-completion.ts';
import type { QueryResult } from '../../telemetry/ports.ts';
import type { ReadableSources } from '../charts/reading/readable-sources.ts';
import { readInstantRange } from '../charts/request/instant-range.ts';
import { attributeField, columnFields, mapColumns } from './list-fields.ts';
import { ask, type OpenSource, type OpenTable, openSource, rejection } from './source-tables.ts';

const hourMs = 3_600_000;
/** Looked into one after the other until one has rows. */
const lookBacksMs = [hourMs, 24 * hourMs, 30 * 24 * hourMs];
/** Rows whose clock runs ahead count as recent. */
const aheadMs = 10 * 60_000;
const budget = { rowsToRead: 5_000_000, distinct: 100_000 };
const keep = { keepMs: 20_000, keptMax: 500 };

interface Wanted {
  prefix?: string;
  limit?: number;
}

/** What editors offer while one types: fields, their values and metric names, from recent rows of a source. */
export class CompletionService {
  readonly #sources: ReadableSources;
  readonly #clock: Clock;
  readonly #fields: RecentAnswers<SourceField[]>;
  readonly #metrics: RecentAnswers<MetricNameRecord[]>;

  constructor(sources: ReadableSources, clock: Clock) {
    this.#sources = sources;
    this.#clock = clock;
    this.#fields = new RecentAnswers(clock, keep);
    this.#metrics = new RecentAnswers(clock, keep);
  }

  /** Columns in the order of the table, then attributes by name. Throws `source_not_found`, `query_invalid`, …. */
  async fields(
    tenantId: string,
    sourceId: string,
    { prefix = '', limit = completionLimits.fieldsDefault }: Wanted,
  ): Promise<SourceField[]> {
    const source = await this.#sources.get(tenantId, sourceId);
    const key = JSON.stringify([tenantId, source]);
    const all = await this.#fields.get(key, async () =>
      this.#allFields(await openSource(this.#sources, tenantId, source)),
    );
    return beginning(all, prefix).slice(0, limit);
  }

  /** The most frequent values of a field. Throws `source_not_found`, `query_invalid` with the position in `field` or `where`, …. */
  async values(tenantId: string, sourceId: string, request: ValuesRequest, signal: AbortSignal): Promise<FieldValue[]> {
    const { field, prefix = '', where = '', whereLanguage = 'lucene', startTime, endTime } = request;
    const { limit = completionLimits.valuesDefault } = request;
    if (field === undefined || field.trim() === '') throw rejection('field: is required: a column or an attribute.');
    const source = await this.#sources.get(tenantId, sourceId);
    const ranges =
      startTime === undefined && endTime === undefined
        ? this.#recent()
        : [readInstantRange({ startTime, endTime }, this.#clock.nowMs())];
    const open = await openSource(this.#sources, tenantId, source);
    for (const range of ranges) {
      const query = { field, prefix, where, whereLanguage, range, limit };
      const results = await askAll(
        open,
        ({ schema, guards }) => compileFieldValues(query, schema, guards, budget),
        signal,
      );
      const values = mergeCounts(results);
      if (values.length > 0) return values.slice(0, limit);
    }
    return [];
  }

  /** By name, then kind. Throws `source_not_found`, `query_invalid` for a source without metrics, …. */
  async metrics(
    tenantId: string,
    sourceId: string,
    { prefix = '', limit = completionLimits.metricsDefault }: Wanted,
  ): Promise<MetricNameRecord[]> {
    const source = await this.#sources.get(tenantId, sourceId);
    if (source.kind !== 'metric') {
      throw rejection(
        `The source "${source.name}" is of kind ${source.kind}; only sources of kind metric have metrics.`,
      );
    }
    const all = await this.#metrics.get(JSON.stringify([tenantId, source]), async () =>
      this.#allMetrics(await openSource(this.#sources, tenantId, source)),
    );
    return beginning(all, prefix).slice(0, limit);
  }

  async #allFields(open: OpenSource): Promise<SourceField[]> {
    const found = new Map<string, SourceField>();
    for (const { table } of open.tables) {
      for (const field of columnFields(table)) if (!found.has(field.name)) found.set(field.name, field);
    }
    const attributes = await Promise.all(open.tables.map((table) => this.#attributes(open, table)));
    for (const field of attributes.flat().sort(byName)) if (!found.has(field.name)) found.set(field.name, field);
    return [...found.values()];
  }

  async #attributes(open: OpenSource, { schema, table, guards }: OpenTable): Promise<SourceField[]> {
    const maps = mapColumns(table);
    if (maps.length === 0) return [];
    for (const range of this.#recent()) {
      const { columns } = await ask(open, () => compileAttributeKeys({ range, maps }, schema, guards, budget));
      const fields = maps.flatMap((map, index) =>
        texts(columns[index]?.[0]).map((key) => attributeField(table, map, key)),
      );
      if (fields.length > 0) return fields;
    }
    return [];
  }

  async #allMetrics(open: OpenSource): Promise<MetricNameRecord[]> {
    const tables = await Promise.all(open.tables.map((table) => this.#metricsOf(open, table)));
    return tables.flat().sort(byName);
  }

  async #metricsOf(open: OpenSource, { schema, guards, metric }: OpenTable): Promise<MetricNameRecord[]> {
    if (schema.kind !== 'metric' || metric === undefined) return [];
    for (const range of this.#recent()) {
      const query = { range, limit: completionLimits.metrics };
      const { rows, columns } = await ask(open, () => compileMetricNames(query, schema, guards, budget));
      const [names = [], units = [], abouts = []] = columns;
      if (rows === 0) continue;
      return names.map((name, row) => ({
        name: String(name),
        type: metric,
        unit: String(units[row] ?? ''),
        description: String(abouts[row] ?? ''),
      }));
    }
    return [];
  }

  #recent(): TimeRange[] {
    const endMs = this.#clock.nowMs() + aheadMs;
    return lookBacksMs.map((lookBackMs) => ({ startMs: endMs - aheadMs - lookBackMs, endMs }));
  }
}

function askAll(
  open: OpenSource,
  compile: (table: OpenTable) => ReturnType<typeof compileFieldValues>,
  signal: AbortSignal,
): Promise<QueryResult[]> {
  return Promise.all(open.tables.map((table) => ask(open, () => compile(table), signal)));
}

/** The same value in several tables counts once, with all its rows. */
function mergeCounts(results: readonly QueryResult[]): { value: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const {
    columns: [values = [], rows = []],
  } of results) {
    for (const [at, value] of values.entries()) {
      counts.set(String(value), (counts.get(String(value)) ?? 0) + Number(rows[at]));
    }
  }
  const merged = [...counts].map(([value, count]) => ({ value, count }));
  return merged.sort((a, b) => b.count - a.count || compareText(a.value, b.value));
}

function beginning<T extends { name: string }>(all: readonly T[], prefix: string): T[] {
  const wanted = prefix.toLowerCase();
  return all.filter(({ name }) => name.toLowerCase().startsWith(wanted));
}

function byName(a: { name: string }, b: { name: string }): number {
  return compareText(a.name, b.name);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
