import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Session } from 'chdb';
import { quoteName, quoteText } from '../kernel/sql-quoting.ts';
import { EngineError } from './engine-error.ts';

export interface Statement {
  sql: string;
  /** Output format when the statement names none. */
  format: string;
  database?: string;
  params: ReadonlyMap<string, string>;
  settings: ReadonlyMap<string, string>;
}

export interface Answer {
  bytes: Uint8Array;
  resultRows: number;
  elapsedMs: number;
}

/** What a statement may do, as the engine's own parser sees it. */
export type StatementClass = 'read' | 'write' | 'global' | 'control' | 'unknown';

interface Classification {
  statementCount: number;
  queryClass: number;
}
interface NativeBinding {
  DurableClassifyAsync(connection: unknown, sql: string, database: string): Promise<Classification>;
}

const classes: readonly StatementClass[] = ['read', 'write', 'global', 'control'];
/** A statement is parsed in milliseconds. One that takes exponentially long can't be stopped, and holds up all others. */
const usualParseMsMax = 20_000;

/** Called when the engine does not return from parsing a statement: only another process helps. */
export interface StuckWatch {
  onStuck: () => void;
  parseMsMax?: number | undefined;
}
/** KILL is sent again while its query lives: it may have come before the query was listed. */
const killAgainMs = 100;

/**
 * chDB with one fresh session per statement: a session is one serial lane, keeps settings, and hands bytes of a failed
 * or killed query to its next one. A new session on an open data folder costs 0.14 ms and has none of these defects.
 */
export class ChdbEngine {
  readonly #dataDir: string;
  /** Keeps the data folder open between statements; used for control only. */
  readonly #root: Session;
  readonly #watch: StuckWatch;
  #statements = 0;

  /** Throws `EngineError` (code 76 when another process has the folder). */
  constructor(dataDir: string, configFile: string, watch: StuckWatch) {
    this.#dataDir = dataDir;
    this.#watch = watch;
    try {
      this.#root = new Session(dataDir, { connectionArgs: [`--config-file=${configFile}`] });
    } catch (error) {
      throw EngineError.from(error);
    }
  }

  /** The class of the one statement in `sql`; throws `EngineError` when there is none, or more than one. */
  async classify(sql: string): Promise<StatementClass> {
    const { onStuck, parseMsMax = usualParseMsMax } = this.#watch;
    const watch = setTimeout(onStuck, parseMsMax);
    const { statementCount, queryClass } = await native
      .DurableClassifyAsync(this.#root.connection, sql, 'default')
      .finally(() => clearTimeout(watch));
    if (statementCount === 0) throw new EngineError('Empty query', 62);
    if (statementCount > 1) throw new EngineError('Multi-statements are not allowed', 62);
    return classes[queryClass] ?? 'unknown';
  }

  /**
   * Runs one statement, which `classify` has found to be one. Aborting kills it inside the engine; the promise settles
   * when it has really ended.
   */
  async run(statement: Statement, signal: AbortSignal): Promise<Answer> {
    // A cancellation during classification would go unnoticed once the statement runs.
    if (signal.aborted) throw new EngineError('Query was cancelled', 394);
    const tag = `signalbox-${++this.#statements}`;
    // One call for everything: each additional call costs a third of a millisecond.
    const sql = `${preamble(statement, tag)}\n${statement.sql}`;
    const session = new Session(this.#dataDir);
    try {
      const answer = await this.#untilEnd(session.queryAsync(sql, { format: statement.format }), tag, signal);
      return { bytes: answer.bytes(), resultRows: answer.rowsRead, elapsedMs: answer.elapsed * 1000 };
    } catch (error) {
      throw EngineError.from(error);
    } finally {
      session.close();
    }
  }

  /** The engine's own housekeeping, before and between what it serves. */
  async command(sql: string, format = 'Null'): Promise<string> {
    try {
      return (await this.#root.queryAsync(sql, { format })).text();
    } catch (error) {
      throw EngineError.from(error);
    }
  }

  close(): void {
    this.#root.close();
  }

  async #untilEnd<T>(running: Promise<T>, tag: string, signal: AbortSignal): Promise<T> {
    let again: NodeJS.Timeout | undefined;
    const kill = () => {
      this.#kill(tag);
      again = setTimeout(kill, killAgainMs);
    };
    signal.addEventListener('abort', kill, { once: true });
    try {
      return await running;
    } finally {
      signal.removeEventListener('abort', kill);
      clearTimeout(again);
    }
  }

  /** ASYNC only: `KILL … SYNC` never returns inside chDB. */
  #kill(tag: string): void {
    const session = new Session(this.#dataDir);
    session
      .queryAsync(`KILL QUERY WHERE Settings['log_comment'] = ${quoteText(tag)} ASYNC`)
      .catch(() => undefined)
      .finally(() => session.close());
  }
}

/** What the session must know before the statement: its database, settings and parameters. Throws `EngineError`. */
function preamble({ database, settings, params }: Statement, tag: string): string {
  // `readonly` comes last: after it nothing can be set.
  const { readonly, ...others } = Object.fromEntries(settings);
  const assignments = Object.entries(others).map(([name, value]) => `${settingName(name)} = ${quoteText(value)}`);
  for (const [name, value] of params) assignments.push(`param_${settingName(name)} = ${quoteText(value)}`);
  assignments.push(`log_comment = ${quoteText(tag)}`);
  if (readonly !== undefined) assignments.push(`readonly = ${quoteText(readonly)}`);
  return `${database ? `USE ${quoteName(database)};\n` : ''}SET ${assignments.join(', ')};`;
}

function settingName(name: string): string {
  if (!/^[A-Za-z_][A-Za-z0-9_]{0,127}$/.test(name))
    throw new EngineError('Malformed name of a setting or parameter', 36);
  return name;
}

/** The statement classifier is not among chDB's exports; it lives in the same native binding that sessions use. */
function loadNative(): NativeBinding {
  const require = createRequire(import.meta.url);
  const loader = join(dirname(require.resolve('chdb')), 'dist/loader.js');
  return require(loader).loadNative();
}

const native = loadNative();
