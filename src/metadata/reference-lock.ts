import type { MetadataDatabase } from './metadata-database.ts';

/**
 * Held until the transaction ends by whoever removes one of these things and by whoever writes something that points
 * to one. Without it, "nobody uses it" could stop being true between the count and the removal.
 */
export function lockReferences(
  inside: MetadataDatabase,
  referenced: 'connections' | 'webhooks',
  tenantId: string,
): Promise<void> {
  return inside.dialect.lock(inside.writes, `${referenced} of ${tenantId}`);
}
