import type { SealStore } from '../access/seal-check.ts';
import type { MetadataDatabase } from './metadata-database.ts';

/** There is one row at most. */
const id = 1;

export class SqlSecretKeySeal implements SealStore {
  readonly #database: MetadataDatabase;

  constructor(database: MetadataDatabase) {
    this.#database = database;
  }

  async find(): Promise<string | undefined> {
    const row = await this.#database.reads.selectFrom('secret_key_seal').select('sealed').executeTakeFirst();
    return row?.sealed;
  }

  keepFirst(sealed: string): Promise<void> {
    return this.#database.transaction(async ({ writes }) => {
      await writes
        .insertInto('secret_key_seal')
        .values({ id, sealed })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    });
  }

  replace(sealed: string): Promise<void> {
    return this.#database.transaction(async ({ writes }) => {
      await writes
        .insertInto('secret_key_seal')
        .values({ id, sealed })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ sealed }))
        .execute();
    });
  }
}
