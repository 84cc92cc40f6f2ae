import { invitationSealContext } from '../access/invitation.ts';
import type { SealedText, SealedTexts } from '../access/sealed-texts.ts';
import type { MetadataDatabase } from './metadata-database.ts';
import { parseDocument } from './stored-document.ts';

/** Where sealed texts are inside a JSON document; its id is their context. */
const sealedFields = { webhooks: 'sealedSecrets', pipes: 'sealedSecrets', connections: 'sealedPassword' } as const;

type DocumentPlace = keyof typeof sealedFields;
const documentPlaces: readonly DocumentPlace[] = ['webhooks', 'pipes', 'connections'];

export class SqlSealedTexts implements SealedTexts {
  readonly #database: MetadataDatabase;

  constructor(database: MetadataDatabase) {
    this.#database = database;
  }

  async list(): Promise<SealedText[]> {
    const texts = await Promise.all(documentPlaces.map((place) => this.#listDocuments(place)));
    return [...texts.flat(), ...(await this.#listInvitations())];
  }

  async replace({ place, id, sealed: old }: SealedText, sealed: string): Promise<boolean> {
    const { writes } = this.#database;
    if (place === 'invitations') {
      const changes = writes.updateTable('invitations').set({ sealed_token: sealed });
      return isOne(await changes.where('id', '=', id).where('sealed_token', '=', old).executeTakeFirst());
    }
    const row = await writes.selectFrom(place).select('document').where('id', '=', id).executeTakeFirst();
    if (!row?.document.includes(old)) return false;
    // As text, so that everything else stays as it was written; sealed texts need no escapes in JSON.
    const document = row.document.replace(old, () => sealed);
    const changes = writes.updateTable(place).set({ document });
    return isOne(await changes.where('id', '=', id).where('document', '=', row.document).executeTakeFirst());
  }

  async #listDocuments(place: DocumentPlace): Promise<SealedText[]> {
    const rows = await this.#database.reads.selectFrom(place).select(['id', 'document']).orderBy('sequence').execute();
    return rows.flatMap(({ id, document }) => {
      const sealed = parseDocument<Readonly<Record<string, unknown>>>(document)[sealedFields[place]];
      return typeof sealed === 'string' ? [{ place, id, context: id, sealed }] : [];
    });
  }

  async #listInvitations(): Promise<SealedText[]> {
    const rows = await this.#database.reads
      .selectFrom('invitations')
      .select(['id', 'tenant_id', 'email', 'sealed_token'])
      .orderBy('sequence')
      .execute();
    return rows.map(({ id, tenant_id, email, sealed_token }) => {
      const context = invitationSealContext({ tenantId: tenant_id, email });
      return { place: 'invitations', id, context, sealed: sealed_token };
    });
  }
}

function isOne({ numUpdatedRows }: { numUpdatedRows: bigint }): boolean {
  return numUpdatedRows === 1n;
}
