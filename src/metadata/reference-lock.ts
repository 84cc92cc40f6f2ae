import type { MetadataDatabase } from './metadata-database.ts';

/**
 * Held until the end of the transaction by deletions of one of these and by writes of references to one. Without it,
 * "unused" could stop being true between the count and the deletion.
 */
export function lockReferences(
  inside: MetadataDatabase,
  referenced: 'connections' | 'webhooks',
  tenantId: string,
): Promise<void> {
  return inside.dialect.lock(inside.writes, `${referenced} of ${tenantId}`);
}
