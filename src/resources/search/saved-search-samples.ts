import type { GroupPart, SampleEvents } from '../../evaluator/ports.ts';
import type { Clock } from '../../kernel/clock.ts';
import { quoteText } from '../../kernel/sql-quoting.ts';
import type { EventSearch } from '../charts/tiles/event-search.ts';
import { conditionsOf } from '../saved-searches/conditions-of-filters.ts';
import type { SavedSearchRepository } from '../saved-searches/saved-search-repository.ts';

export interface SavedSearchSamplesDeps {
  savedSearches: Pick<SavedSearchRepository, 'find'>;
  events: EventSearch;
  clock: Clock;
}

const samplesMax = 5;
const lineMax = 500;
/** A message waits no longer for its samples. */
const timeoutMs = 5_000;
/** When many alerts fire together, most messages have no samples, so that none is late. */
const searchesMax = 4;

/** Finds events for messages with the search, filters and group that were evaluated (contract §3.6). */
export class SavedSearchSamples implements SampleEvents {
  readonly #deps: SavedSearchSamplesDeps;
  #underWay = 0;

  constructor(deps: SavedSearchSamplesDeps) {
    this.#deps = deps;
  }

  async find(request: Parameters<SampleEvents['find']>[0]): Promise<readonly string[]> {
    if (this.#underWay >= searchesMax) return [];
    this.#underWay += 1;
    const tooLong = new AbortController();
    const cancelTimer = this.#deps.clock.after(timeoutMs, () => tooLong.abort());
    try {
      return await this.#search(request, tooLong.signal);
    } catch {
      // Whatever is wrong with the search is reported where it is evaluated.
      return [];
    } finally {
      cancelTimer();
      this.#underWay -= 1;
    }
  }

  async #search(
    { tenantId, savedSearchId, group, window }: Parameters<SampleEvents['find']>[0],
    signal: AbortSignal,
  ): Promise<string[]> {
    const { savedSearches, events } = this.#deps;
    const search = await savedSearches.find(tenantId, savedSearchId);
    if (!search) return [];
    const { sourceId, select, where, whereLanguage, filters } = search;
    const conditions = [...conditionsOf(filters), ...group.map(toCondition)];
    const found = { sourceId, range: window, select, where, whereLanguage, conditions, limit: samplesMax };
    const { rows } = await events.firstEvents(tenantId, found, signal);
    return rows.map(lineOf);
  }
}

/** The key is an expression as the user wrote it, the value a text. */
function toCondition({ key, value }: GroupPart, index: number) {
  return { where: `${key} = ${quoteText(value)}`, whereLanguage: 'sql' as const, path: `groupBy.${index}` };
}

function lineOf(row: readonly unknown[]): string {
  const line = row
    .map(valueText)
    .filter((text) => text !== '')
    .join(' | ')
    .replace(/\s+/g, ' ');
  return line.length > lineMax ? `${line.slice(0, lineMax - 1)}…` : line;
}

function valueText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
