import type { IdentityStore, User } from '../../access/identity-repository.ts';
import type { Tenant } from '../../access/tenants.ts';
import { CommandError } from './command-error.ts';

/** The team with this name or id; without one, the only team there is. @throws {CommandError} */
export async function findTeam(identities: IdentityStore, nameOrId: string | undefined): Promise<Tenant> {
  const teams = (await identities.listTenants()).filter(({ kind }) => kind === 'team');
  if (nameOrId !== undefined) {
    const [named, twin] = teams.filter(({ name }) => name === nameOrId);
    if (twin) throw new CommandError(`There are several teams ${JSON.stringify(nameOrId)}; give the id.`);
    const team = named ?? teams.find(({ id }) => id === nameOrId);
    if (!team) throw new CommandError(`There is no team ${JSON.stringify(nameOrId)}.`);
    return team;
  }
  const [only, ...others] = teams;
  if (!only) throw new CommandError('There is no team yet; create one with: signalbox teams create <name>');
  if (others.length > 0) throw new CommandError('There are several teams; name one with --team.');
  return only;
}

/** The user with this email. @throws {CommandError} */
export async function findUser(identities: IdentityStore, email: string): Promise<User> {
  const user = await identities.findUserByEmail(email.toLowerCase());
  if (!user) throw new CommandError(`There is no user ${JSON.stringify(email)}.`);
  return user;
}
