import type { Principal } from '../../../access/principal.ts';
import type { Writing } from '../dashboard-service.ts';

/** In whose name a call writes. */
export function writingOf({ principal, ifMatch }: { principal: Principal; ifMatch?: string | undefined }): Writing {
  const { tenantId, userId, keyId } = principal;
  return { tenantId, by: userId ?? keyId, ifMatch };
}
