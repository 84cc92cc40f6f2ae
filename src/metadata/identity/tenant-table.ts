import type { Selectable } from 'kysely';
import type { Tenant } from '../../access/tenants.ts';
import { columnText } from '../bound-values.ts';
import type { MetadataDatabase } from '../metadata-database.ts';
import type { MetadataTables } from '../tables.ts';
import { presentColumns } from './null-columns.ts';

const columns = ['id', 'kind', 'name', 'organization_id', 'telemetry_database', 'timezone'] as const;
type TenantColumns = Pick<Selectable<MetadataTables['tenants']>, (typeof columns)[number]>;

/** Teams and services. */
export class TenantTable {
  readonly #database: MetadataDatabase;

  constructor(database: MetadataDatabase) {
    this.#database = database;
  }

  async count(): Promise<number> {
    const row = await this.#database.reads
      .selectFrom('tenants')
      .select((select) => select.fn.countAll<number>().as('tenants'))
      .executeTakeFirstOrThrow();
    return row.tenants;
  }

  async list(): Promise<Tenant[]> {
    const rows = await this.#database.reads.selectFrom('tenants').select(columns).orderBy('sequence').execute();
    return rows.map(toTenant);
  }

  async find(id: string): Promise<Tenant | undefined> {
    const row = await this.#database.reads
      .selectFrom('tenants')
      .select(columns)
      .where('id', '=', id)
      .executeTakeFirst();
    return row && toTenant(row);
  }

  async findTeamByName(name: string): Promise<Tenant | undefined> {
    const row = await this.#database.reads
      .selectFrom('tenants')
      .select(columns)
      .where('kind', '=', 'team')
      .where('name', '=', columnText(name))
      .orderBy('sequence')
      .executeTakeFirst();
    return row && toTenant(row);
  }

  async insert(tenant: Tenant, createdAtMs: number): Promise<'inserted' | 'taken'> {
    const outcome = await this.#database.unlessTaken((executor) =>
      executor
        .insertInto('tenants')
        .values({
          id: tenant.id,
          kind: tenant.kind,
          organization_id: tenant.organizationId ?? null,
          name: columnText(tenant.name),
          telemetry_database: tenant.telemetryDatabase,
          created_at: createdAtMs,
          timezone: tenant.timezone ?? null,
        })
        .execute(),
    );
    return outcome === 'taken' ? 'taken' : 'inserted';
  }

  async rename(id: string, name: string): Promise<'renamed' | 'missing'> {
    const outcome = await this.#database.writes
      .updateTable('tenants')
      .set({ name: columnText(name) })
      .where('id', '=', id)
      .executeTakeFirst();
    return outcome.numUpdatedRows > 0n ? 'renamed' : 'missing';
  }

  async setTimeZone(id: string, timezone: string): Promise<void> {
    await this.#database.writes.updateTable('tenants').set({ timezone }).where('id', '=', id).execute();
  }
}

function toTenant(row: TenantColumns): Tenant {
  return {
    id: row.id,
    kind: row.kind,
    name: row.name,
    telemetryDatabase: row.telemetry_database,
    ...presentColumns({ organizationId: row.organization_id, timezone: row.timezone }),
  };
}
