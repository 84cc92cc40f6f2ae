import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describeSchema } from '../../test/support/describe-schema.ts';
import { onBothStores } from '../../test/support/metadata-stores.ts';

/** After a new migration: `npx vitest run src/metadata/schema.test.ts -u`, then review the difference. */
onBothStores((underTest, kind) => {
  it(`the migrations make the schema that schema.${kind}.sql shows`, async () => {
    await expect(await describeSchema(underTest().raw)).toMatchFileSnapshot(
      join(import.meta.dirname, `schema.${kind}.sql`),
    );
  });
});
