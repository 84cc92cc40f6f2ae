import type { IdentityStore, User } from './identity-repository.ts';
import type { KeyMakerDeps } from './key-service.ts';

/** What is known of a person; the email in any case. */
export interface NewUser {
  tenantId: string;
  email: string;
  name?: string;
  passwordHash?: string;
}

/**
 * Adds a user to a team; returns `emailTaken` if the email is in use. The first user becomes the owner: the
 * unnamed owner that a new store starts with turns into that user, keys included (decisions S1). Call it inside a
 * transaction.
 */
export async function addUser(
  store: Pick<IdentityStore, 'findOwner' | 'findUserByEmail' | 'insertUser' | 'updateUser'>,
  { ids, clock }: KeyMakerDeps,
  { tenantId, ...person }: NewUser,
): Promise<User | 'emailTaken'> {
  const known = { ...person, email: person.email.toLowerCase() };
  if (await store.findUserByEmail(known.email)) return 'emailTaken';
  const owner = await store.findOwner(tenantId);
  if (owner && owner.email === undefined) {
    await store.updateUser(owner.id, known);
    return { ...owner, ...known };
  }
  const role = owner ? 'member' : 'owner';
  const user: User = { id: ids.hex24(), tenantId, role, createdAtMs: clock.nowMs(), ...known };
  return (await store.insertUser(user)) === 'inserted' ? user : 'emailTaken';
}
