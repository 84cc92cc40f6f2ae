import type { User } from '../../access/identity-repository.ts';
import type { Principal } from '../../access/principal.ts';
import type { Tenant } from '../../access/tenants.ts';
import type { InvitationLink } from './invitation-service.ts';

export function presentTeam({ id, name, timezone = 'UTC' }: Tenant): object {
  return { id, name, timezone };
}

/** Never with the password's hash. */
export function presentMember({ id, email, name, role }: User, { userId }: Principal): object {
  return { id, email, name: name ?? null, role, isCurrentUser: id === userId };
}

export function presentNewInvitation({ id, email, url }: InvitationLink): object {
  return { email, invitationId: id, status: 'pending', url };
}

export function presentInvitation({ id, email, name, url, createdAtMs, expiresAtMs }: InvitationLink): object {
  const [createdAt, expiresAt] = [createdAtMs, expiresAtMs].map((ms) => new Date(ms).toISOString());
  return { id, createdAt, expiresAt, email, name: name ?? null, url };
}
