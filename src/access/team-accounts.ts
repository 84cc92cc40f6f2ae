import type { AccountHome, NewAccount } from './account-home.ts';
import { addUser } from './add-user.ts';
import type { IdentityStore, User } from './identity-repository.ts';
import type { KeyMakerDeps } from './key-service.ts';
import type { Account } from './session.ts';

/** Self-hosted: accounts are the users of teams. */
export class TeamAccounts implements AccountHome {
  readonly #deps: KeyMakerDeps;

  constructor(deps: KeyMakerDeps) {
    this.#deps = deps;
  }

  async find(store: IdentityStore, id: string): Promise<Account | undefined> {
    return accountOf(await store.findUser(id));
  }

  async findByEmail(store: IdentityStore, email: string): Promise<Account | undefined> {
    return accountOf(await store.findUserByEmail(email));
  }

  async isRegistrationOpen(store: IdentityStore): Promise<boolean> {
    return !(await store.hasUserPassword());
  }

  /**
   * Into the team that exists from the start (decisions S1): its nameless owner turns into this person. A user that
   * provisioning knows without a password gets one.
   */
  async signUpFirst(store: IdentityStore, person: NewAccount): Promise<Account | 'emailTaken'> {
    const known = await store.findUserByEmail(person.email);
    if (known) {
      await store.updateUser(known.id, person);
      return { ...accountFields(known), ...person };
    }
    const team = (await store.listTenants()).find(({ kind }) => kind === 'team');
    if (!team) throw new Error('a self-hosted store has no team');
    const user = await addUser(store, this.#deps, { tenantId: team.id, ...person });
    return user === 'emailTaken' ? user : { ...accountFields(user), ...person };
  }

  async setPassword(store: IdentityStore, id: string, passwordHash: string): Promise<void> {
    await store.updateUser(id, { passwordHash });
  }
}

/** The nameless owner cannot log in. */
function accountOf(user: User | undefined): Account | undefined {
  return user?.email === undefined ? undefined : { ...accountFields(user), email: user.email };
}

function accountFields({ id, tenantId, name, passwordHash }: User): Omit<Account, 'email'> {
  return {
    id,
    tenantId,
    ...(name === undefined ? {} : { name }),
    ...(passwordHash === undefined ? {} : { passwordHash }),
  };
}
