import { sql } from 'kysely';
import { type DashboardVersion, versionsKept } from '../resources/dashboards/dashboard-history.ts';
import type { SavedColumns } from './dashboard-tables.ts';
import type { Executor, MetadataDatabase } from './metadata-database.ts';

/**
 * Copies the stored dashboard among its past versions, inside the store, and removes those beyond `versionsKept`.
 * Nothing happens if another version is stored by now; the row is locked until the transaction ends.
 */
export async function keepVersion(
  { writes, dialect }: MetadataDatabase,
  tenantId: string,
  { id, version, replacedMs }: { id: string; version: number; replacedMs: number },
): Promise<void> {
  const replaced = dialect.locked(
    writes
      .selectFrom('dashboards')
      .select(['tenant_id', 'id', 'version', 'document', 'saved_ms', 'saved_by', 'summary'])
      .select(sql<number>`cast(${replacedMs} as bigint)`.as('replaced_ms'))
      .where('tenant_id', '=', tenantId)
      .where('id', '=', id)
      .where('version', '=', version),
  );
  await writes
    .insertInto('dashboard_versions')
    .columns([
      ...(['tenant_id', 'dashboard_id', 'version', 'document'] as const),
      ...(['saved_ms', 'saved_by', 'summary', 'replaced_ms'] as const),
    ])
    .expression(replaced)
    .execute();
  if (version <= versionsKept) return;
  await writes
    .deleteFrom('dashboard_versions')
    .where('tenant_id', '=', tenantId)
    .where('dashboard_id', '=', id)
    .where('version', '<=', version - versionsKept)
    .execute();
}

export async function listVersions(reads: Executor, tenantId: string, id: string): Promise<DashboardVersion[]> {
  const present = await reads
    .selectFrom('dashboards')
    .select(['version', 'saved_ms', 'saved_by', 'summary'])
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!present) return [];
  const past = await reads
    .selectFrom('dashboard_versions')
    .select(['version', 'saved_ms', 'saved_by', 'summary'])
    .where('tenant_id', '=', tenantId)
    .where('dashboard_id', '=', id)
    // A save may come between the two statements.
    .where('version', '<', present.version)
    .orderBy('version', 'desc')
    .limit(versionsKept)
    .execute();
  return [present, ...past].map(toVersion);
}

export async function findVersion(
  reads: Executor,
  tenantId: string,
  { id, version }: { id: string; version: number },
): Promise<(DashboardVersion & { json: string }) | undefined> {
  const present = reads
    .selectFrom('dashboards')
    .select(['version', 'document', 'saved_ms', 'saved_by', 'summary'])
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .where('version', '=', version);
  // Versions of a deleted dashboard can't be reached until it is back.
  const past = reads
    .selectFrom('dashboard_versions')
    .innerJoin('dashboards', (on) =>
      on
        .onRef('dashboards.tenant_id', '=', 'dashboard_versions.tenant_id')
        .onRef('dashboards.id', '=', 'dashboard_versions.dashboard_id'),
    )
    .select(['dashboard_versions.version', 'dashboard_versions.document'])
    .select(['dashboard_versions.saved_ms', 'dashboard_versions.saved_by', 'dashboard_versions.summary'])
    .where('dashboard_versions.tenant_id', '=', tenantId)
    .where('dashboard_versions.dashboard_id', '=', id)
    .where('dashboard_versions.version', '=', version);
  const row = await present.unionAll(past).executeTakeFirst();
  return row && { ...toVersion(row), json: row.document };
}

function toVersion({ version, saved_ms, saved_by, summary }: SavedColumns & { version: number }): DashboardVersion {
  return {
    version,
    ...(saved_ms !== null && { savedMs: saved_ms }),
    ...(saved_by !== null && { by: saved_by }),
    ...(summary !== null && { summary }),
  };
}
