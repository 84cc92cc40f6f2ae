import type {
  ApiKey,
  ApiKeyChanges,
  IdentityRepository,
  IdentityStore,
  KeyScope,
  Organization,
  User,
  UserChanges,
} from './identity-repository.ts';
import type { Invitation } from './invitation.ts';
import type { OrganizationUser } from './organization-user.ts';
import type { StoredSession } from './session.ts';
import type { Tenant } from './tenants.ts';

interface State {
  keys: ApiKey[];
  tenants: Tenant[];
  organizations: Organization[];
  users: User[];
  organizationUsers: OrganizationUser[];
  sessions: StoredSession[];
  invitations: Invitation[];
}

/** Identities in memory, for tests. */
export class FakeIdentityRepository implements IdentityRepository {
  state: State = {
    keys: [],
    tenants: [],
    organizations: [],
    users: [],
    organizationUsers: [],
    sessions: [],
    invitations: [],
  };
  #queue: Promise<unknown> = Promise.resolve();

  transaction<T>(work: (store: IdentityStore) => Promise<T>): Promise<T> {
    const run = this.#queue.then(async () => {
      const before = structuredClone(this.state);
      try {
        return await work(this);
      } catch (error) {
        this.state = before;
        throw error;
      }
    });
    this.#queue = run.catch(() => {});
    return run;
  }

  async findKeyByHash(hash: string): Promise<ApiKey | undefined> {
    return copy(this.state.keys.find((key) => key.hash === hash));
  }
  async findCloudKey(cloudKeyId: string): Promise<ApiKey | undefined> {
    return copy(this.state.keys.find((key) => key.cloudKeyId === cloudKeyId));
  }
  async findKey(id: string): Promise<ApiKey | undefined> {
    return copy(this.state.keys.find((key) => key.id === id));
  }
  async listKeys(owner: KeyScope): Promise<ApiKey[]> {
    const owned = (key: ApiKey): boolean =>
      'tenantId' in owner ? key.tenantId === owner.tenantId : key.organizationId === owner.organizationId;
    return structuredClone(this.state.keys.filter(owned));
  }
  async insertKey(key: ApiKey): Promise<'inserted' | 'taken'> {
    const taken = this.state.keys.some(
      ({ hash, cloudKeyId }) => hash === key.hash || (cloudKeyId !== undefined && cloudKeyId === key.cloudKeyId),
    );
    if (taken) return 'taken';
    this.state.keys.push(structuredClone(key));
    return 'inserted';
  }
  async updateKey(id: string, changes: ApiKeyChanges): Promise<'updated' | 'missing' | 'taken'> {
    const key = this.state.keys.find((candidate) => candidate.id === id);
    if (!key) return 'missing';
    if (this.state.keys.some((other) => other.id !== id && other.hash === changes.hash)) return 'taken';
    for (const [field, value] of Object.entries(changes)) {
      if (value === null) Reflect.deleteProperty(key, field);
      else if (value !== undefined) Reflect.set(key, field, value);
    }
    return 'updated';
  }
  async touchKey(id: string, lastUsedAtMs: number): Promise<void> {
    const key = this.state.keys.find((candidate) => candidate.id === id);
    if (key) key.lastUsedAtMs = Math.max(key.lastUsedAtMs ?? 0, lastUsedAtMs);
  }

  async countTenants(): Promise<number> {
    return this.state.tenants.length;
  }
  async listTenants(): Promise<Tenant[]> {
    return structuredClone(this.state.tenants);
  }
  async findTenant(id: string): Promise<Tenant | undefined> {
    return copy(this.state.tenants.find((tenant) => tenant.id === id));
  }
  async findTeamByName(name: string): Promise<Tenant | undefined> {
    return copy(this.#teamNamed(name));
  }
  async insertTenant(tenant: Tenant): Promise<'inserted' | 'taken'> {
    const taken = this.state.tenants.some(
      ({ id, telemetryDatabase }) => id === tenant.id || telemetryDatabase === tenant.telemetryDatabase,
    );
    if (taken) return 'taken';
    this.state.tenants.push(structuredClone(tenant));
    return 'inserted';
  }
  async renameTenant(id: string, name: string): Promise<'renamed' | 'missing'> {
    const tenant = this.state.tenants.find((candidate) => candidate.id === id);
    if (!tenant) return 'missing';
    tenant.name = name;
    return 'renamed';
  }

  async setTimeZone(id: string, timezone: string): Promise<void> {
    const tenant = this.state.tenants.find((each) => each.id === id);
    if (tenant) tenant.timezone = timezone;
  }

  async listOrganizations(): Promise<Organization[]> {
    return structuredClone(this.state.organizations);
  }
  async findOrganization(id: string): Promise<Organization | undefined> {
    return copy(this.state.organizations.find((organization) => organization.id === id));
  }
  async saveOrganization(organization: Organization): Promise<void> {
    const stored = this.state.organizations.find(({ id }) => id === organization.id);
    if (stored) stored.name = organization.name;
    else this.state.organizations.push({ ...organization });
  }

  async listUsers(tenantId: string): Promise<User[]> {
    return structuredClone(this.state.users.filter((user) => user.tenantId === tenantId));
  }
  async findUser(id: string): Promise<User | undefined> {
    return copy(this.state.users.find((user) => user.id === id));
  }
  async findUserByEmail(email: string): Promise<User | undefined> {
    return copy(this.state.users.find((user) => user.email === email));
  }
  async findOwner(tenantId: string): Promise<User | undefined> {
    return copy(this.state.users.find((user) => user.tenantId === tenantId && user.role === 'owner'));
  }
  async insertUser(user: User): Promise<'inserted' | 'emailTaken'> {
    if (user.email !== undefined && (await this.findUserByEmail(user.email))) return 'emailTaken';
    this.state.users.push(structuredClone(user));
    return 'inserted';
  }
  async updateUser(id: string, changes: UserChanges): Promise<'updated' | 'missing' | 'emailTaken'> {
    const user = this.state.users.find((candidate) => candidate.id === id);
    if (!user) return 'missing';
    const named = changes.email === undefined ? undefined : await this.findUserByEmail(changes.email);
    if (named && named.id !== id) return 'emailTaken';
    Object.assign(user, changes);
    return 'updated';
  }

  async hasUserPassword(): Promise<boolean> {
    return this.state.users.some(({ passwordHash }) => passwordHash !== undefined);
  }
  async removeUser(tenantId: string, id: string): Promise<'removed' | 'missing'> {
    const others = this.state.users.filter((user) => user.id !== id || user.tenantId !== tenantId);
    if (others.length === this.state.users.length) return 'missing';
    this.state.users = others;
    this.state.keys = this.state.keys.filter(({ userId }) => userId !== id);
    return 'removed';
  }

  async hasOrganizationUser(): Promise<boolean> {
    return this.state.organizationUsers.length > 0;
  }
  async findOrganizationUser(id: string): Promise<OrganizationUser | undefined> {
    return copy(this.state.organizationUsers.find((user) => user.id === id));
  }
  async findOrganizationUserByEmail(email: string): Promise<OrganizationUser | undefined> {
    return copy(this.state.organizationUsers.find((user) => user.email === email));
  }
  async insertOrganizationUser(user: OrganizationUser): Promise<'inserted' | 'emailTaken'> {
    if (await this.findOrganizationUserByEmail(user.email)) return 'emailTaken';
    this.state.organizationUsers.push({ ...user });
    return 'inserted';
  }
  async setOrganizationUserPassword(id: string, passwordHash: string): Promise<void> {
    const user = this.state.organizationUsers.find((candidate) => candidate.id === id);
    if (user) user.passwordHash = passwordHash;
  }

  async insertSession(session: StoredSession): Promise<void> {
    this.state.sessions.push({ ...session });
  }
  async findSessionByHash(hash: string): Promise<StoredSession | undefined> {
    return copy(this.state.sessions.find((session) => session.hash === hash));
  }
  async updateSession(id: string, changes: { expiresAtMs?: number; passwordMark?: string }): Promise<void> {
    const session = this.state.sessions.find((candidate) => candidate.id === id);
    if (session) Object.assign(session, changes);
  }
  async endSession(id: string): Promise<void> {
    this.state.sessions = this.state.sessions.filter((session) => session.id !== id);
  }
  async endSessionsOf(accountId: string): Promise<void> {
    this.state.sessions = this.state.sessions.filter((session) => session.accountId !== accountId);
  }
  async trimSessions(accountId: string, keep: number): Promise<void> {
    const own = this.state.sessions.filter((session) => session.accountId === accountId);
    const gone = new Set(own.slice(0, Math.max(0, own.length - keep)));
    this.state.sessions = this.state.sessions.filter((session) => !gone.has(session));
  }
  async removeExpiredSessions(nowMs: number): Promise<void> {
    this.state.sessions = this.state.sessions.filter(({ expiresAtMs }) => expiresAtMs > nowMs);
  }

  async listInvitations(tenantId: string): Promise<Invitation[]> {
    return structuredClone(this.state.invitations.filter((invitation) => invitation.tenantId === tenantId));
  }
  async findInvitationByHash(hash: string): Promise<Invitation | undefined> {
    return copy(this.state.invitations.find((invitation) => invitation.hash === hash));
  }
  async saveInvitation(invitation: Invitation): Promise<void> {
    const { tenantId, email } = invitation;
    const known = this.state.invitations.find((one) => one.tenantId === tenantId && one.email === email);
    if (!known) return void this.state.invitations.push({ ...invitation });
    const { name, hash, sealedToken, expiresAtMs } = invitation;
    Object.assign(known, { hash, sealedToken, expiresAtMs });
    if (name === undefined) Reflect.deleteProperty(known, 'name');
    else known.name = name;
  }
  async removeInvitation(tenantId: string, id: string): Promise<'removed' | 'missing'> {
    const others = this.state.invitations.filter((one) => one.id !== id || one.tenantId !== tenantId);
    if (others.length === this.state.invitations.length) return 'missing';
    this.state.invitations = others;
    return 'removed';
  }

  #teamNamed(name: string): Tenant | undefined {
    return this.state.tenants.find((tenant) => tenant.kind === 'team' && tenant.name === name);
  }
}

function copy<T>(value: T | undefined): T | undefined {
  return structuredClone(value);
}
