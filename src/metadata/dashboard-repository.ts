import { type CompiledQuery, sql } from 'kysely';
import type { Dashboard } from '../resources/dashboards/dashboard.ts';
import type {
  DashboardChange,
  DashboardVersion,
  DeletedDashboard,
  UndeletedDashboard,
} from '../resources/dashboards/dashboard-history.ts';
import type {
  DashboardRepository,
  DashboardSave,
  DashboardTransaction,
  StoredDashboard,
} from '../resources/dashboards/dashboard-repository.ts';
import { columnText } from './bound-values.ts';
import { findVersion, keepVersion, listVersions } from './dashboard-version-store.ts';
import { keepDeleted, listDeleted, undelete } from './deleted-dashboard-store.ts';
import type { Executor, MetadataDatabase } from './metadata-database.ts';
import { StampedCache } from './stamped-cache.ts';
import { parseDocument } from './stored-document.ts';

const textsKeptMax = 200;
/** Whose sizes are looked at together. */
const sizesMax = 1_000;
/** Limit for texts read together, if there is more than one. */
const partBytesMax = 4 * 1024 * 1024;

interface DashboardText {
  document: string;
  version: number;
}

export class SqlDashboardRepository implements DashboardRepository {
  readonly #database: MetadataDatabase;
  readonly #findQuery: CompiledQuery<DashboardText>;
  readonly #known: StampedCache<{ json: string; version: number }>;

  constructor(database: MetadataDatabase) {
    this.#database = database;
    this.#known = new StampedCache(database.stamp, textsKeptMax);
    this.#findQuery = compileFind(database.reads);
  }

  transaction<T>(work: (transaction: DashboardTransaction) => Promise<T>): Promise<T> {
    return this.#database.transaction((inside) => work(new SqlDashboardTransaction(inside)));
  }

  async find(tenantId: string, id: string): Promise<StoredDashboard | undefined> {
    const stored = await this.findText(tenantId, id);
    return stored && { dashboard: parseDocument<Dashboard>(stored.json), version: stored.version };
  }

  findText(tenantId: string, id: string): Promise<{ json: string; version: number } | undefined> {
    return this.#known.read(`${tenantId} ${id}`, () => this.#loadText(tenantId, id));
  }

  async #loadText(tenantId: string, id: string): Promise<{ json: string; version: number } | undefined> {
    const row = await findRow(this.#database.reads, this.#findQuery, tenantId, id);
    return row && { json: row.document, version: row.version };
  }

  async listTexts(tenantId: string, page: { limit?: number; offset?: number }): Promise<string[]> {
    let query = this.#database.reads
      .selectFrom('dashboards')
      .select('document')
      .where('tenant_id', '=', tenantId)
      .orderBy('sequence');
    // SQL of the embedded store knows an offset only after a limit.
    if (page.limit !== undefined || page.offset !== undefined)
      query = query.limit(page.limit ?? Number.MAX_SAFE_INTEGER);
    if (page.offset !== undefined) query = query.offset(page.offset);
    const rows = await query.execute();
    return rows.map((row) => row.document);
  }

  async *textParts(tenantId: string, page: { limit?: number; offset?: number }): AsyncGenerator<string[], void> {
    let left = page.limit ?? Number.POSITIVE_INFINITY;
    let { offset = 0 } = page;
    let after = 0;
    while (left > 0) {
      const limit = Math.min(sizesMax, left);
      const sizes = await this.#sizes(tenantId, { after, limit, offset });
      for (const { first, last } of partsOf(sizes)) {
        const texts = await this.#textsBetween(tenantId, first, last);
        if (texts.length > 0) yield texts;
      }
      if (sizes.length < limit) return;
      left -= sizes.length;
      offset = 0;
      after = sizes.at(-1)?.sequence ?? after;
    }
  }

  /** How long the texts are, which neither store reads them for. */
  #sizes(tenantId: string, { after, limit, offset }: { after: number; limit: number; offset: number }) {
    return this.#database.reads
      .selectFrom('dashboards')
      .select(['sequence', sql<number>`octet_length(document)`.as('bytes')])
      .where('tenant_id', '=', tenantId)
      .where('sequence', '>', after)
      .orderBy('sequence')
      .limit(limit)
      .offset(offset)
      .execute();
  }

  async #textsBetween(tenantId: string, first: number, last: number): Promise<string[]> {
    const rows = await this.#database.reads
      .selectFrom('dashboards')
      .select('document')
      .where('tenant_id', '=', tenantId)
      .where('sequence', '>=', first)
      .where('sequence', '<=', last)
      .orderBy('sequence')
      .execute();
    return rows.map(({ document }) => document);
  }

  async alertsOn(tenantId: string, dashboardId: string, tileIds: readonly string[]): Promise<string[]> {
    if (tileIds.length === 0) return [];
    const rows = await this.#database.reads
      .selectFrom('alerts')
      .select('id')
      .where('tenant_id', '=', tenantId)
      .where('dashboard_id', '=', dashboardId)
      .where('tile_id', 'in', tileIds)
      .execute();
    return rows.map(({ id }) => id).sort();
  }

  async findByName(tenantId: string, name: string): Promise<StoredDashboard | undefined> {
    const row = await this.#database.reads
      .selectFrom('dashboards')
      .select(['document', 'version'])
      .where('tenant_id', '=', tenantId)
      .where('name', '=', columnText(name))
      .orderBy('sequence')
      .limit(1)
      .executeTakeFirst();
    return row && { dashboard: parseDocument<Dashboard>(row.document), version: row.version };
  }

  versions(tenantId: string, id: string): Promise<DashboardVersion[]> {
    return listVersions(this.#database.reads, tenantId, id);
  }

  version(tenantId: string, id: string, version: number): Promise<(DashboardVersion & { json: string }) | undefined> {
    return findVersion(this.#database.reads, tenantId, { id, version });
  }

  deleted(
    tenantId: string,
    page: { limit: number; offset: number },
  ): Promise<{ dashboards: DeletedDashboard[]; total: number }> {
    return listDeleted(this.#database.reads, tenantId, page);
  }
}

class SqlDashboardTransaction implements DashboardTransaction {
  readonly #inside: MetadataDatabase;
  readonly #executor: Executor;

  constructor(inside: MetadataDatabase) {
    this.#inside = inside;
    this.#executor = inside.writes;
  }

  async find(tenantId: string, id: string): Promise<StoredDashboard | undefined> {
    const row = await findRow(this.#executor, compileFind(this.#executor), tenantId, id);
    return row && { dashboard: parseDocument<Dashboard>(row.document), version: row.version };
  }

  async insert(tenantId: string, dashboard: Dashboard, change: DashboardChange): Promise<void> {
    await this.#executor
      .insertInto('dashboards')
      .values({
        id: dashboard.id,
        tenant_id: tenantId,
        name: columnText(dashboard.name),
        document: JSON.stringify(dashboard),
        version: 1,
        ...savedColumns(change),
      })
      .execute();
  }

  async save(tenantId: string, { dashboard, expectedVersion, change, json }: DashboardSave): Promise<boolean> {
    await keepVersion(this.#inside, tenantId, { id: dashboard.id, version: expectedVersion, replacedMs: change.atMs });
    const result = await this.#executor
      .updateTable('dashboards')
      .set({
        name: columnText(dashboard.name),
        document: json ?? JSON.stringify(dashboard),
        version: expectedVersion + 1,
        ...savedColumns(change),
      })
      .where('tenant_id', '=', tenantId)
      .where('id', '=', dashboard.id)
      .where('version', '=', expectedVersion)
      .executeTakeFirst();
    return result.numUpdatedRows > 0n;
  }

  async remove(tenantId: string, id: string, deletion: { atMs: number; by: string }): Promise<boolean> {
    const removed = await this.#executor
      .deleteFrom('dashboards')
      .where('tenant_id', '=', tenantId)
      .where('id', '=', id)
      .returning(['name', 'document', 'version', 'saved_ms', 'saved_by', 'summary'])
      .executeTakeFirst();
    if (!removed) return false;
    await keepDeleted(this.#executor, tenantId, { id, removed, deletion });
    return true;
  }

  undelete(tenantId: string, id: string, nowMs: number): Promise<UndeletedDashboard | undefined> {
    return undelete(this.#inside, tenantId, { id, nowMs });
  }

  async removeAlerts(tenantId: string, dashboardId: string, tileIds: readonly string[] | 'all'): Promise<string[]> {
    if (tileIds.length === 0) return [];
    let statement = this.#executor
      .deleteFrom('alerts')
      .where('tenant_id', '=', tenantId)
      .where('dashboard_id', '=', dashboardId);
    if (tileIds !== 'all') statement = statement.where('tile_id', 'in', tileIds);
    const removed = await statement.returning('id').execute();
    return removed.map(({ id }) => id).sort();
  }
}

function savedColumns({ atMs, by, summary }: DashboardChange) {
  return { saved_ms: atMs, saved_by: columnText(by), summary: columnText(summary) };
}

/** Compiled once: every GET of a dashboard runs it. */
function compileFind(executor: Executor): CompiledQuery<DashboardText> {
  return executor
    .selectFrom('dashboards')
    .select(['document', 'version'])
    .where('tenant_id', '=', '')
    .where('id', '=', '')
    .compile();
}

async function findRow(
  executor: Executor,
  query: CompiledQuery<DashboardText>,
  tenantId: string,
  id: string,
): Promise<DashboardText | undefined> {
  const { rows } = await executor.executeQuery<DashboardText>({ ...query, parameters: [tenantId, id] });
  return rows[0];
}

interface TextSize {
  sequence: number;
  bytes: number;
}

/** First and last of the texts that are read together. */
function partsOf(sizes: readonly TextSize[]): { first: number; last: number }[] {
  const parts: { first: number; last: number }[] = [];
  let room = 0;
  for (const { sequence, bytes } of sizes) {
    const part = parts.at(-1);
    room -= bytes;
    if (part && room >= 0) {
      part.last = sequence;
      continue;
    }
    parts.push({ first: sequence, last: sequence });
    room = partBytesMax - bytes;
  }
  return parts;
}
