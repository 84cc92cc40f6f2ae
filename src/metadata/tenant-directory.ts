import type { Tenant, TenantDirectory } from '../access/tenants.ts';
import { TenantTable } from './identity/tenant-table.ts';
import type { MetadataDatabase } from './metadata-database.ts';

/** Reads tenants without a cache: a point read is cheap, and a renamed tenant shows at once on every replica. */
export class SqlTenantDirectory implements TenantDirectory {
  readonly #tenants: TenantTable;

  constructor(database: MetadataDatabase) {
    this.#tenants = new TenantTable(database);
  }

  find(tenantId: string): Promise<Tenant | undefined> {
    return this.#tenants.find(tenantId);
  }

  list(): Promise<Tenant[]> {
    return this.#tenants.list();
  }
}
