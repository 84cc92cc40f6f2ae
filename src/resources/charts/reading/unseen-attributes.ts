import type { Warning } from '../../../contract/warning.ts';
import type { Clock } from '../../../kernel/clock.ts';
import type { TimeRange } from '../../../query/chart-query.ts';
import { compileAttributeKeys, compileHasAttribute } from '../../../query/compile-completion.ts';
import { type CompiledQuery, QueryTextError, textProblem } from '../../../query/compiled-query.ts';
import { type NamedAttribute, namedAttributes, type RequestText } from '../../../query/named-attributes.ts';
import { didYouMean } from '../../../query/nearest-names.ts';
import type { SourceSchema } from '../../../query/source-schema.ts';
import type { QueryResult } from '../../../telemetry/ports.ts';
import type { PreparedScan } from './prepared-scan.ts';

/** What a question may cost: the chart is what people wait for. */
const limits = { timeoutMs: 2_000, memoryBytesMax: 256 * 1024 ** 2, resultRowsMax: 100 };
const budget = { rowsToRead: 2_000_000, distinct: 100_000 };
/** An attribute that was there is not asked for again so soon. */
const knownForMs = 3_600_000;
const knownMax = 20_000;
const namesMax = 20;
/** Comparing a name with all that are known takes up to some milliseconds. */
const compareMax = 5;

type OpenTable = Pick<PreparedScan, 'engine' | 'schema' | 'guards'>;

/** Warns of attributes that no event has; mostly they are misspelt columns or keys (decisions C6). */
export class UnseenAttributes {
  readonly #clock: Clock;
  readonly #knownUntilMs = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** One warning per name that is neither a column nor an attribute of an event in the range; at most `namesMax` are looked at. */
  async warningsOf(open: OpenTable, texts: readonly RequestText[], range: TimeRange): Promise<Warning[]> {
    try {
      const named = namedAttributes(texts, open.schema).slice(0, namesMax);
      const isThere = await Promise.all(named.map((attribute) => this.#isThere(open, attribute, range)));
      const unseen = named.filter((_, index) => isThere[index] === false);
      if (unseen.length === 0) return [];
      const keys = await keysOf(open, range);
      return unseen.map((attribute, index) => warningOf(attribute, open.schema, index < compareMax ? keys : []));
    } catch {
      // Whatever is wrong is reported by the request itself; it is answered without this.
      return [];
    }
  }

  /** `undefined` if the budget was used up before it was found. */
  async #isThere(open: OpenTable, { key, maps }: NamedAttribute, range: TimeRange): Promise<boolean | undefined> {
    const id = JSON.stringify([open.guards.database, tableNameOf(open.schema), maps, key]);
    const nowMs = this.#clock.nowMs();
    if (nowMs < (this.#knownUntilMs.get(id) ?? 0)) return true;
    const guards = { ...open.guards, ...limits };
    const found = await run(open, compileHasAttribute({ range, maps, key }, open.schema, guards, budget));
    if (found.rows === 0) return found.rowsRead < budget.rowsToRead ? false : undefined;
    if (this.#knownUntilMs.size >= knownMax) this.#knownUntilMs.clear();
    this.#knownUntilMs.set(id, nowMs + knownForMs);
    return true;
  }
}

/** Keys among some events of the range, as a person names them. */
async function keysOf(open: OpenTable, range: TimeRange): Promise<string[]> {
  const maps = open.schema.attributeColumns;
  const guards = { ...open.guards, ...limits };
  const { columns } = await run(open, compileAttributeKeys({ range, maps }, open.schema, guards, budget));
  return columns.flatMap(([keys]) => (Array.isArray(keys) ? keys.map(String) : []));
}

function run({ engine }: OpenTable, compiled: CompiledQuery): Promise<QueryResult> {
  const { timeoutMs } = limits;
  return engine.runner.run(compiled, { name: 'attribute query', queryClass: 'interactive', timeoutMs });
}

function warningOf({ path, key, position }: NamedAttribute, schema: SourceSchema, keys: readonly string[]): Warning {
  const columns = schema.kind === 'metric' ? [] : [...schema.table.columns.keys()];
  const message = `"${key}" is no column, and no event in this range has such an attribute${didYouMean(key, [...columns, ...keys])}`;
  return { path, message: textProblem(new QueryTextError(message, position)) };
}

function tableNameOf(schema: SourceSchema): string[] {
  const tables = schema.kind === 'metric' ? Object.values(schema.tables) : [schema.table];
  return tables.map(({ table }) => table);
}
