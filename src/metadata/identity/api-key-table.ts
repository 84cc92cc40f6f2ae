import type { CompiledQuery, Selectable } from 'kysely';
import type { ApiKey, ApiKeyChanges } from '../../access/identity-repository.ts';
import { columnText } from '../bound-values.ts';
import type { MetadataDatabase } from '../metadata-database.ts';
import { StampedCache } from '../stamped-cache.ts';
import { parseDocument } from '../stored-document.ts';
import type { MetadataTables } from '../tables.ts';
import { presentColumns } from './null-columns.ts';

type ApiKeyRow = Selectable<MetadataTables['api_keys']>;
const keysKeptMax = 1_000;
type UniqueColumn = 'id' | 'key_hash' | 'cloud_key_id';

/** Keys of all three kinds; only hashes of their secrets (decisions K2). */
export class ApiKeyTable {
  readonly #database: MetadataDatabase;
  /** Compiled once: every authenticated request runs one of them. */
  readonly #findBy: Record<UniqueColumn, CompiledQuery<ApiKeyRow>>;
  readonly #known: StampedCache<ApiKey>;

  constructor(database: MetadataDatabase) {
    this.#database = database;
    this.#known = new StampedCache(database.stamp, keysKeptMax);
    this.#findBy = {
      id: compileFind(database, 'id'),
      key_hash: compileFind(database, 'key_hash'),
      cloud_key_id: compileFind(database, 'cloud_key_id'),
    };
  }

  findById(id: string): Promise<ApiKey | undefined> {
    return this.#find('id', id);
  }

  findByHash(hash: string): Promise<ApiKey | undefined> {
    return this.#find('key_hash', hash);
  }

  findByCloudKeyId(cloudKeyId: string): Promise<ApiKey | undefined> {
    return this.#find('cloud_key_id', columnText(cloudKeyId));
  }

  async list(owner: { tenantId: string } | { organizationId: string }): Promise<ApiKey[]> {
    const all = this.#database.reads.selectFrom('api_keys').selectAll().orderBy('sequence');
    const owned =
      'tenantId' in owner
        ? all.where('tenant_id', '=', owner.tenantId)
        : all.where('organization_id', '=', owner.organizationId);
    const rows = await owned.execute();
    return rows.map(toApiKey);
  }

  async insert(key: ApiKey): Promise<'inserted' | 'taken'> {
    const outcome = await this.#database.unlessTaken((executor) =>
      executor.insertInto('api_keys').values(toColumns(key)).execute(),
    );
    return outcome === 'taken' ? 'taken' : 'inserted';
  }

  async update(id: string, changes: ApiKeyChanges): Promise<'updated' | 'missing' | 'taken'> {
    const outcome = await this.#database.unlessTaken((executor) =>
      executor
        .updateTable('api_keys')
        .set({ id, ...changedColumns(changes) })
        .where('id', '=', id)
        .executeTakeFirst(),
    );
    if (outcome === 'taken') return 'taken';
    return outcome.numUpdatedRows > 0n ? 'updated' : 'missing';
  }

  async touch(id: string, lastUsedAtMs: number): Promise<void> {
    await this.#database.writes
      .updateTable('api_keys')
      .set({ last_used_at: lastUsedAtMs })
      .where('id', '=', id)
      .where((where) => where.or([where('last_used_at', 'is', null), where('last_used_at', '<', lastUsedAtMs)]))
      .execute();
  }

  #find(column: UniqueColumn, value: string): Promise<ApiKey | undefined> {
    return this.#known.read(`${column} ${value}`, () => this.#load(column, value));
  }

  async #load(column: UniqueColumn, value: string): Promise<ApiKey | undefined> {
    const query = { ...this.#findBy[column], parameters: [value] };
    const { rows } = await this.#database.reads.executeQuery<ApiKeyRow>(query);
    return rows[0] && toApiKey(rows[0]);
  }
}

function compileFind(database: MetadataDatabase, column: UniqueColumn): CompiledQuery<ApiKeyRow> {
  return database.reads.selectFrom('api_keys').selectAll().where(column, '=', '').compile();
}

function toColumns(key: ApiKey): Omit<ApiKeyRow, 'sequence'> {
  return {
    id: key.id,
    kind: key.kind,
    name: columnText(key.name),
    key_hash: key.hash,
    tenant_id: key.tenantId ?? null,
    user_id: key.userId ?? null,
    organization_id: key.organizationId ?? null,
    cloud_key_id: key.cloudKeyId === undefined ? null : columnText(key.cloudKeyId),
    service_ids: key.serviceIds === undefined ? null : JSON.stringify(key.serviceIds),
    role: key.role,
    created_at: key.createdAtMs,
    expires_at: key.expiresAtMs ?? null,
    revoked_at: key.revokedAtMs ?? null,
    last_used_at: key.lastUsedAtMs ?? null,
    prefix: key.prefix ?? null,
  };
}

/** An absent field stays absent, so that its column keeps its value; null clears. */
function changedColumns(changes: ApiKeyChanges): Partial<ApiKeyRow> {
  const columns: Partial<ApiKeyRow> = {};
  if (changes.name !== undefined) columns.name = columnText(changes.name);
  if (changes.hash !== undefined) columns.key_hash = changes.hash;
  if (changes.role !== undefined) columns.role = changes.role;
  if (changes.serviceIds !== undefined) columns.service_ids = changes.serviceIds && JSON.stringify(changes.serviceIds);
  if (changes.expiresAtMs !== undefined) columns.expires_at = changes.expiresAtMs;
  if (changes.revokedAtMs !== undefined) columns.revoked_at = changes.revokedAtMs;
  return columns;
}

function toApiKey(row: ApiKeyRow): ApiKey {
  return {
    id: row.id,
    kind: row.kind,
    name: row.name,
    hash: row.key_hash,
    role: row.role,
    createdAtMs: row.created_at,
    ...presentColumns({
      tenantId: row.tenant_id,
      userId: row.user_id,
      organizationId: row.organization_id,
      cloudKeyId: row.cloud_key_id,
      expiresAtMs: row.expires_at,
      revokedAtMs: row.revoked_at,
      lastUsedAtMs: row.last_used_at,
      prefix: row.prefix,
    }),
    ...(row.service_ids !== null && { serviceIds: parseDocument<string[]>(row.service_ids) }),
  };
}
