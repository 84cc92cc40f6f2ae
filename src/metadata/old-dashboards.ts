import type { OldRecords } from '../evaluator/record-pruner.ts';
import type { MetadataDatabase } from './metadata-database.ts';

/** Dashboards that were deleted long ago, with their versions and their places among favourites. */
export class SqlOldDeletedDashboards implements OldRecords {
  readonly #database: MetadataDatabase;

  constructor(database: MetadataDatabase) {
    this.#database = database;
  }

  removeBefore(beforeMs: number, rowsMax: number): Promise<number> {
    return this.#database.transaction(async ({ writes, dialect }) => {
      const old = dialect.passingOverLocked(
        writes
          .selectFrom('deleted_dashboards')
          .select('id')
          .where('deleted_ms', '<', beforeMs)
          .orderBy('deleted_ms')
          .limit(rowsMax),
      );
      const removed = await writes
        .deleteFrom('deleted_dashboards')
        .where('id', 'in', old)
        .returning(['id', 'tenant_id'])
        .execute();
      for (const { id, tenant_id } of removed) {
        for (const table of ['dashboard_versions', 'favourites'] as const) {
          await writes.deleteFrom(table).where('tenant_id', '=', tenant_id).where('dashboard_id', '=', id).execute();
        }
      }
      return removed.length;
    });
  }
}

/** Versions of dashboards that were replaced long ago. */
export class SqlOldDashboardVersions implements OldRecords {
  readonly #database: MetadataDatabase;

  constructor(database: MetadataDatabase) {
    this.#database = database;
  }

  removeBefore(beforeMs: number, rowsMax: number): Promise<number> {
    return this.#database.transaction(async ({ writes, dialect }) => {
      const old = dialect.passingOverLocked(
        writes
          .selectFrom('dashboard_versions')
          .select(['tenant_id', 'dashboard_id', 'version'])
          .where('replaced_ms', '<', beforeMs)
          .orderBy('replaced_ms')
          .limit(rowsMax),
      );
      const result = await writes
        .deleteFrom('dashboard_versions')
        .where(({ eb, refTuple }) =>
          eb(
            refTuple('tenant_id', 'dashboard_id', 'version'),
            'in',
            old.$asTuple('tenant_id', 'dashboard_id', 'version'),
          ),
        )
        .executeTakeFirst();
      return Number(result.numDeletedRows);
    });
  }
}
