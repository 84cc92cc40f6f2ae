import { AppError } from '../../contract/errors.ts';
import { type EventPattern, type PatternsMeta, type PatternsRequest, patternLimits } from '../../contract/patterns.ts';
import type { LogSource, TraceSource } from '../../contract/source.ts';
import type { Clock } from '../../kernel/clock.ts';
import { nextTurn } from '../../kernel/next-turn.ts';
import { compileMatchCount, compileTexts } from '../../query/compile-patterns.ts';
import type { CompiledQuery } from '../../query/compiled-query.ts';
import type { PatternsQuery } from '../../query/patterns-query.ts';
import type { QueryResult } from '../../telemetry/ports.ts';
import { eventSource, type OpenEvents, openEvents } from '../charts/reading/open-events.ts';
import type { ReadableSources } from '../charts/reading/readable-sources.ts';
import { runOverEvents } from '../charts/reading/run-over-events.ts';
import type { ScanLimits } from '../charts/reading/scan-runner.ts';
import { sliceRange } from '../charts/reading/time-slices.ts';
import { readInstantRange } from '../charts/request/instant-range.ts';
import { QueryProblem } from '../charts/request/query-problem.ts';
import type { EventPatterns, PatternsFound, PatternsOf } from '../charts/tiles/event-patterns.ts';
import { readSelectList } from '../sources/select-list.ts';
import { regexOfPattern } from './patterns/pattern-regex.ts';
import { PatternTree } from './patterns/pattern-tree.ts';

const textLengthMax = 1000;
const slicesCount = 32;
/** Texts that are looked at in one go; between two goes other work gets its turn. */
const textsPerGo = 5000;

export interface PatternsServiceDeps {
  sources: ReadableSources;
  limits: ScanLimits;
  clock: Clock;
}

/** Finds what many events say in a few patterns of their texts. */
export class PatternsService implements EventPatterns {
  readonly #deps: PatternsServiceDeps;

  constructor(deps: PatternsServiceDeps) {
    this.#deps = deps;
  }

  /** Throws as `find` does. */
  async search(
    tenantId: string,
    body: PatternsRequest,
    signal: AbortSignal,
  ): Promise<{ patterns: EventPattern[]; meta: PatternsMeta }> {
    const { where = '', whereLanguage = 'lucene', field = '', sourceId } = body;
    const { sample = patternLimits.sampleDefault, limit = patternLimits.patternsDefault } = body;
    const range = readInstantRange(body, this.#deps.clock.nowMs());
    const paths = { field: 'field', where: 'where' };
    const asked = { sourceId, range, field, where, whereLanguage, conditions: [], paths, sample, limit };
    const { patterns, meta } = await this.find(tenantId, asked, signal);
    const { bytesRead: _, ...shown } = meta;
    return { patterns, meta: shown };
  }

  /**
   * Counts are exact for the events that were read, and `meta` says how many these are of how many. Throws
   * `source_not_found`, `connection_not_found`, `query_invalid` with path and position, `query_timeout`, `query_failed`,
   * `engine_unavailable`.
   */
  async find(tenantId: string, request: PatternsOf, signal: AbortSignal): Promise<PatternsFound> {
    const { sources, limits } = this.#deps;
    const source = eventSource(await sources.get(tenantId, request.sourceId));
    const open = await openEvents(sources, limits, tenantId, source);
    const { range, where, whereLanguage, sample, limit } = request;
    const field = fieldOf(request, source);
    const conditions = request.conditions.filter((each) => each.sourceId === undefined || each.sourceId === source.id);
    const all: PatternsQuery = {
      ...{ range, field, where, whereLanguage, conditions },
      ...{ slices: [], eventsMax: sample, lengthMax: textLengthMax },
    };
    const run = (compile: () => CompiledQuery) => this.#run(open, request, compile, signal);
    const counted = await run(() => compileMatchCount(all, open.schema, open.guards));
    const events = Number(counted.columns[0]?.[0] ?? 0);
    const query = events <= sample ? all : { ...all, slices: sliceRange(range, sample / events, slicesCount) };
    const texts = await run(() => compileTexts(query, open.schema, open.guards));
    const { read, found } = await patternsOf(texts);
    const patterns = found.slice(0, limit).map((each) => {
      const { pattern, count, example } = each;
      return {
        pattern,
        count,
        share: count / read,
        regex: regexOfPattern(each, found, textLengthMax) ?? null,
        example,
      };
    });
    const cost = {
      rowsRead: counted.rowsRead + texts.rowsRead,
      bytesRead: counted.bytesRead + texts.bytesRead,
      elapsedMs: counted.elapsedMs + texts.elapsedMs,
    };
    // Events that arrived between the two statements were read and not counted.
    return { patterns, meta: { events: Math.max(events, read), read, patterns: found.length, field, ...cost } };
  }

  #run(
    open: OpenEvents,
    { paths }: PatternsOf,
    compile: () => CompiledQuery,
    signal: AbortSignal,
  ): Promise<QueryResult> {
    const { timeoutMs } = this.#deps.limits;
    const pathOf = (where = 'where') => (where === 'field' || where === 'where' ? paths[where] : where);
    return runOverEvents(open, compile, { name: 'patterns query', timeoutMs, signal, pathOf });
  }
}

async function patternsOf({ columns }: QueryResult) {
  const [texts = [], counts = []] = columns;
  const tree = new PatternTree();
  let read = 0;
  for (const [index, text] of texts.entries()) {
    if (index > 0 && index % textsPerGo === 0) await nextTurn();
    const count = Number(counts[index] ?? 0);
    tree.add(String(text), count);
    read += count;
  }
  return { read, found: tree.patterns() };
}

/** What holds the text; that of the source where the request names none. */
function fieldOf({ field, paths }: PatternsOf, source: LogSource | TraceSource): string {
  const [first, second] = readSelectList(field);
  if (second) throw new QueryProblem(paths.field, 'must be one column or expression, whose texts have the patterns');
  if (first) return first.text;
  const own =
    source.kind === 'log' ? (source.bodyExpression ?? source.implicitColumnExpression) : source.spanNameExpression;
  if (own?.trim()) return own;
  throw new AppError('query_invalid', {
    public: `${paths.field}: is required, as the source "${source.name}" does not say which column holds the text.`,
  });
}
