import type { TenantDirectory } from '../../access/tenants.ts';
import { AppError } from '../../contract/errors.ts';
import type { PipeError } from '../../contract/pipe-errors.ts';
import type { PipeSourceProposal } from '../../contract/pipe-source.ts';
import type { Problem } from '../../contract/problem.ts';
import type { SourceInput } from '../../contract/source.ts';
import type { SchemaCheck } from '../../http/operation.ts';
import type { TableSchema } from '../../query/source-schema.ts';
import type { QueryRunner, TableSchemas } from '../../telemetry/ports.ts';
import { toQueryAppError } from '../charts/reading/query-errors.ts';
import type { ConnectionRepository } from '../connections/connection-repository.ts';
import { invalid, reject } from '../pipes/body-problems.ts';
import { isRecord } from '../pipes/merge-patch.ts';
import type { StoredPipe } from '../pipes/pipe.ts';
import type { PipeRepository } from '../pipes/pipe-repository.ts';
import { tableProblems } from '../sources/check-against-table.ts';
import type { Source } from '../sources/source.ts';
import { toSource } from '../sources/to-source.ts';
import { readErrorRecords } from './error-records.ts';
import { guessSource } from './guess-source.ts';
import { tablesOf } from './tables-of.ts';

/** Port: the sources of a tenant. */
export interface TenantSources {
  list(tenantId: string): Promise<Source[]>;
  /** Throws `request_invalid`. */
  create(tenantId: string, input: SourceInput): Promise<Source>;
}

export interface PipeTableDeps {
  pipes: Pick<PipeRepository, 'find'>;
  sources: TenantSources;
  connections: Pick<ConnectionRepository, 'list'>;
  tenants: TenantDirectory;
  schemas: TableSchemas;
  runner: QueryRunner;
  /** Validates by `SourceInputSchema`. */
  checkSource: SchemaCheck;
}

const errorsShown = 100;
const replacingHint =
  'The pipe stores each change of a row as another row, of which the last one counts. Charts also count earlier states of rows that changed, until the database has merged them.';

/** The tables that pipes write, as people look at them. Every method stays within one service. */
export class PipeTableService {
  readonly #deps: PipeTableDeps;

  constructor(deps: PipeTableDeps) {
    this.#deps = deps;
  }

  /** Records that did not fit, newest first. Throws `pipe_not_found`. */
  async errors(
    serviceId: string,
    pipeId: string,
    { limit = errorsShown, signal }: { limit?: number | undefined; signal: AbortSignal },
  ): Promise<PipeError[]> {
    const pipe = await this.#pipe(serviceId, pipeId);
    const database = await this.#databaseOf(serviceId);
    const tables = tablesOf(pipe.fields);
    if (tables.length === 0) return [];
    const order = { database, pipeId: pipe.id, tables, max: limit, signal };
    return readErrorRecords(this.#deps.runner, order).catch((error: unknown) => {
      throw toQueryAppError(error);
    });
  }

  /** A source over a table of the pipe, guessed from its columns. Throws `pipe_not_found`, `request_invalid`. */
  async proposeSource(serviceId: string, pipeId: string, table?: string): Promise<PipeSourceProposal> {
    const { name, tables, database } = await this.#tableOf(serviceId, pipeId, table);
    const schema = await this.#describe(database, name);
    const present = (await this.#deps.sources.list(serviceId)).filter((source) => reads(source, database, name));
    const shared = { table: name, tables, sources: present.map(({ id, name: label }) => ({ id, name: label })) };
    if (!schema) return { ...shared, columns: [], reason: missingText(name) };
    const columns = [...schema.columns].map(([column, type]) => ({ name: column, type }));
    const source = guessSource(name, schema.columns);
    if (!source) return { ...shared, columns, reason: timelessText(name) };
    const hint = schema.columns.has('_peerdb_version') ? { hint: replacingHint } : {};
    return { ...shared, columns, source, ...hint };
  }

  /** Stores nothing unless everything fits the table. Throws `pipe_not_found`, `request_invalid`. */
  async createSource(serviceId: string, pipeId: string, body: unknown): Promise<Source> {
    const { table, ...described } = asRecord(body);
    if (table !== undefined && typeof table !== 'string')
      throw invalid([{ path: 'table', message: 'must be a string' }]);
    const { name, database } = await this.#tableOf(serviceId, pipeId, table);
    const input = await this.#checked(serviceId, described, { databaseName: database, tableName: name });
    const schema = await this.#describe(database, name);
    if (!schema) throw new AppError('request_invalid', { public: missingText(name) });
    reject(tableProblems(toSource('', input), schema));
    return this.#deps.sources.create(serviceId, input);
  }

  async #checked(
    serviceId: string,
    described: Record<string, unknown>,
    from: SourceInput['from'],
  ): Promise<SourceInput> {
    reject(placeProblems(described));
    const { connections, checkSource } = this.#deps;
    const builtIn = (await connections.list(serviceId)).find((connection) => connection.builtIn);
    if (!builtIn) throw new AppError('internal', { internal: `service ${serviceId} has no built-in connection` });
    const input = { ...described, connection: builtIn.id, from };
    reject(checkSource(input));
    // `checkSource` validates by SourceInputSchema.
    return input as unknown as SourceInput;
  }

  async #tableOf(serviceId: string, pipeId: string, wanted: string | undefined) {
    const pipe = await this.#pipe(serviceId, pipeId);
    const tables = tablesOf(pipe.fields);
    const name = wanted ?? tables[0];
    if (name !== undefined && tables.includes(name)) {
      return { name, tables, database: await this.#databaseOf(serviceId) };
    }
    const message = tables.length === 0 ? 'the pipe names no table' : `must be one of ${tables.join(', ')}`;
    throw invalid([{ path: 'table', message }]);
  }

  async #pipe(serviceId: string, pipeId: string): Promise<StoredPipe> {
    const pipe = await this.#deps.pipes.find(serviceId, pipeId.toLowerCase());
    if (!pipe) throw new AppError('pipe_not_found');
    return pipe;
  }

  async #databaseOf(serviceId: string): Promise<string> {
    const tenant = await this.#deps.tenants.find(serviceId);
    if (!tenant) throw new AppError('internal', { internal: `service ${serviceId} is gone` });
    return tenant.telemetryDatabase;
  }

  #describe(database: string, table: string): Promise<TableSchema | undefined> {
    return this.#deps.schemas.describe(database, table).catch((error: unknown) => {
      throw toQueryAppError(error);
    });
  }
}

function reads({ from }: Source, database: string, table: string): boolean {
  return from.databaseName === database && from.tableName === table;
}

function missingText(table: string): string {
  return `There is no table ${table} yet; the pipe makes it with its first rows.`;
}

function timelessText(table: string): string {
  return `The table ${table} has no column of the type DateTime or DateTime64, which a source needs to place rows in time.`;
}

/** Where the source reads is decided by the pipe. */
function placeProblems(described: Record<string, unknown>): Problem[] {
  const { kind } = described;
  const decided = ['connection', 'from'].filter((path) => described[path] !== undefined);
  return [
    ...decided.map((path) => ({ path, message: 'is decided by the pipe; omit it' })),
    ...(kind === 'log' || kind === 'trace' ? [] : [{ path: 'kind', message: 'must be log or trace' }]),
  ];
}

function asRecord(body: unknown): Record<string, unknown> {
  if (isRecord(body)) return body;
  throw invalid([{ path: '', message: 'must be a JSON object' }]);
}
