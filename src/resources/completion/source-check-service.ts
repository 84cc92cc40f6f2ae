import { ownDatabases } from '../../access/telemetry-database.ts';
import type { TenantDirectory } from '../../access/tenants.ts';
import type { SourceCheckResult } from '../../contract/completion.ts';
import { AppError } from '../../contract/errors.ts';
import type { Problem } from '../../contract/problem.ts';
import { metricTableKeys, type SourceInput } from '../../contract/source.ts';
import type { Ids } from '../../kernel/ids.ts';
import type { TableSchema } from '../../query/source-schema.ts';
import { TelemetryError } from '../../telemetry/ports.ts';
import type { ConnectionEngine } from '../charts/reading/connection-engine.ts';
import { toQueryAppError } from '../charts/reading/query-errors.ts';
import type { ReadableSources } from '../charts/reading/readable-sources.ts';
import type { ConnectionRepository } from '../connections/connection-repository.ts';
import { tableProblems } from '../sources/check-against-table.ts';
import { sourceProblem } from '../sources/check-source.ts';
import type { Source } from '../sources/source.ts';
import { toSource } from '../sources/to-source.ts';
import { shownColumns } from './list-fields.ts';

export interface SourceCheckDeps {
  readable: ReadableSources;
  connections: ConnectionRepository;
  tenants: TenantDirectory;
  ids: Ids;
}

/** Checks a source before it is stored: what would be rejected, and what does not match its table. */
export class SourceCheckService {
  readonly #deps: SourceCheckDeps;

  constructor(deps: SourceCheckDeps) {
    this.#deps = deps;
  }

  /** Stores nothing. Throws `engine_unavailable` and the like if the database can't be queried. */
  async check(tenantId: string, input: SourceInput): Promise<SourceCheckResult> {
    const source = toSource(this.#deps.ids.hex24(), input);
    const problem = await this.#storeProblem(tenantId, source);
    if (problem) return checkResult([problem]);
    if (source.kind === 'promql') return checkResult([]);
    try {
      return await validateTables(source, await this.#deps.readable.engineOf(tenantId, source));
    } catch (error) {
      if (error instanceof TelemetryError && !(await this.#isBuiltIn(tenantId, source)))
        return checkResult([unreachable]);
      throw toQueryAppError(error);
    }
  }

  /** Why create would reject it. */
  async #storeProblem(tenantId: string, source: Source): Promise<Problem | undefined> {
    const { connections, tenants } = this.#deps;
    const tenant = await tenants.find(tenantId);
    if (!tenant) throw new AppError('internal', { internal: `tenant ${tenantId} is gone` });
    const connection = await connections.find(tenantId, source.connection);
    const problem = sourceProblem(source, connection, ownDatabases(tenant));
    const [, path = '', message = ''] = /^([\w.]+): (.*)$/s.exec(problem ?? '') ?? [];
    return problem === undefined ? undefined : { path, message };
  }

  async #isBuiltIn(tenantId: string, source: Source): Promise<boolean> {
    return (await this.#deps.connections.find(tenantId, source.connection))?.builtIn === true;
  }
}

const unreachable: Problem = {
  path: 'connection',
  message: 'its database could not be queried; check the address, user and password',
};

async function validateTables(source: Source, engine: ConnectionEngine): Promise<SourceCheckResult> {
  const { databaseName } = source.from;
  const problems: Problem[] = [];
  const tables: TableSchema[] = [];
  for (const { path, name } of tableNames(source)) {
    const table = await engine.schemas.describe(databaseName, name);
    if (table) tables.push(table);
    else problems.push({ path, message: `there is no table "${name}" in the database "${databaseName}"` });
  }
  return checkResult([...problems, ...uniqueProblems(tables.flatMap((table) => tableProblems(source, table)))], tables);
}

function tableNames(source: Source): { path: string; name: string }[] {
  if (source.kind !== 'metric') return [{ path: 'from.tableName', name: source.from.tableName }];
  return metricTableKeys.flatMap((key) => {
    const name = source.metricTables[key];
    return name ? [{ path: `metricTables.${key}`, name }] : [];
  });
}

/** The tables of a metric source share most columns, and so most problems. */
function uniqueProblems(problems: readonly Problem[]): Problem[] {
  return [...new Map(problems.map((problem) => [`${problem.path} ${problem.message}`, problem])).values()];
}

function checkResult(problems: Problem[], tables: readonly TableSchema[] = []): SourceCheckResult {
  const columns = new Map(tables.flatMap(shownColumns));
  return {
    ok: problems.length === 0,
    problems,
    columns: [...columns].map(([name, type]) => ({ name, type })),
  };
}
