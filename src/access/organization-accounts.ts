import type { AccountHome, NewAccount } from './account-home.ts';
import type { IdentityStore, Organization } from './identity-repository.ts';
import type { KeyMakerDeps } from './key-service.ts';
import type { Account } from './session.ts';

/** Managed: accounts belong to organizations. */
export class OrganizationAccounts implements AccountHome {
  readonly #deps: KeyMakerDeps;

  constructor(deps: KeyMakerDeps) {
    this.#deps = deps;
  }

  find(store: IdentityStore, id: string): Promise<Account | undefined> {
    return store.findOrganizationUser(id);
  }

  findByEmail(store: IdentityStore, email: string): Promise<Account | undefined> {
    return store.findOrganizationUserByEmail(email);
  }

  async isRegistrationOpen(store: IdentityStore): Promise<boolean> {
    return !(await store.hasOrganizationUser());
  }

  /** Into the first organization; a store without one gets one. */
  async signUpFirst(store: IdentityStore, person: NewAccount): Promise<Account | 'emailTaken'> {
    const { ids, clock } = this.#deps;
    const [first] = await store.listOrganizations();
    const organization = first ?? (await this.#createOrganization(store));
    const user = { id: ids.hex24(), organizationId: organization.id, createdAtMs: clock.nowMs(), ...person };
    return (await store.insertOrganizationUser(user)) === 'inserted' ? user : 'emailTaken';
  }

  setPassword(store: IdentityStore, id: string, passwordHash: string): Promise<void> {
    return store.setOrganizationUserPassword(id, passwordHash);
  }

  async #createOrganization(store: IdentityStore): Promise<Organization> {
    const organization = { id: this.#deps.ids.uuid(), name: 'Default' };
    await store.saveOrganization(organization, this.#deps.clock.nowMs());
    return organization;
  }
}
