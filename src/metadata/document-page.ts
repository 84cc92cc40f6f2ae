import type { Executor } from './metadata-database.ts';
import { parseDocument } from './stored-document.ts';

/** Tables that keep one document a row, in the order in which they were made. */
type DocumentTable = 'webhooks' | 'saved_searches' | 'silences';

/** Some of a tenant's documents, oldest first, and how many there are in all. */
export async function readDocumentPage<Document>(
  reads: Executor,
  table: DocumentTable,
  tenantId: string,
  page: { limit: number; offset: number },
): Promise<{ documents: Document[]; total: number }> {
  const ofTenant = reads.selectFrom(table).where('tenant_id', '=', tenantId);
  const rows = await ofTenant.select('document').orderBy('sequence').limit(page.limit).offset(page.offset).execute();
  const { total } = await ofTenant
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return { documents: rows.map((row) => parseDocument<Document>(row.document)), total };
}
