import type { Selectable } from 'kysely';
import type { Invitation } from '../../access/invitation.ts';
import { columnText } from '../bound-values.ts';
import type { MetadataDatabase } from '../metadata-database.ts';
import type { MetadataTables } from '../tables.ts';
import { presentColumns } from './null-columns.ts';

/** Open invitations to teams. */
export class InvitationTable {
  readonly #database: MetadataDatabase;

  constructor(database: MetadataDatabase) {
    this.#database = database;
  }

  async list(tenantId: string): Promise<Invitation[]> {
    const rows = await this.#select().where('tenant_id', '=', tenantId).orderBy('sequence').execute();
    return rows.map(toInvitation);
  }

  async findByHash(hash: string): Promise<Invitation | undefined> {
    const row = await this.#select().where('token_hash', '=', hash).executeTakeFirst();
    return row && toInvitation(row);
  }

  async save(invitation: Invitation): Promise<void> {
    const renewed = {
      name: invitation.name === undefined ? null : columnText(invitation.name),
      token_hash: invitation.hash,
      sealed_token: invitation.sealedToken,
      expires_at: invitation.expiresAtMs,
    };
    await this.#database.writes
      .insertInto('invitations')
      .values({
        ...renewed,
        id: invitation.id,
        tenant_id: invitation.tenantId,
        email: columnText(invitation.email),
        created_at: invitation.createdAtMs,
      })
      .onConflict((conflict) => conflict.columns(['tenant_id', 'email']).doUpdateSet(renewed))
      .execute();
  }

  async remove(tenantId: string, id: string): Promise<'removed' | 'missing'> {
    const result = await this.#database.writes
      .deleteFrom('invitations')
      .where('tenant_id', '=', tenantId)
      .where('id', '=', id)
      .executeTakeFirst();
    return result.numDeletedRows > 0n ? 'removed' : 'missing';
  }

  #select() {
    return this.#database.reads.selectFrom('invitations').selectAll();
  }
}

function toInvitation(row: Selectable<MetadataTables['invitations']>): Invitation {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    email: row.email,
    hash: row.token_hash,
    sealedToken: row.sealed_token,
    createdAtMs: row.created_at,
    expiresAtMs: row.expires_at,
    ...presentColumns({ name: row.name }),
  };
}
