import type {
  ApiKey,
  ApiKeyChanges,
  IdentityRepository,
  IdentityStore,
  Organization,
  User,
  UserChanges,
} from '../access/identity-repository.ts';
import type { Invitation } from '../access/invitation.ts';
import type { OrganizationUser } from '../access/organization-user.ts';
import type { StoredSession } from '../access/session.ts';
import type { Tenant } from '../access/tenants.ts';
import { ApiKeyTable } from './identity/api-key-table.ts';
import { InvitationTable } from './identity/invitation-table.ts';
import { OrganizationTable } from './identity/organization-table.ts';
import { OrganizationUserTable } from './identity/organization-user-table.ts';
import { SessionTable } from './identity/session-table.ts';
import { TenantTable } from './identity/tenant-table.ts';
import { UserTable } from './identity/user-table.ts';
import type { MetadataDatabase } from './metadata-database.ts';

/** The tables of identities as one store. */
export class SqlIdentityRepository implements IdentityRepository {
  readonly #database: MetadataDatabase;
  readonly #keys: ApiKeyTable;
  readonly #tenants: TenantTable;
  readonly #organizations: OrganizationTable;
  readonly #users: UserTable;
  readonly #organizationUsers: OrganizationUserTable;
  readonly #sessions: SessionTable;
  readonly #invitations: InvitationTable;

  constructor(database: MetadataDatabase) {
    this.#database = database;
    this.#keys = new ApiKeyTable(database);
    this.#tenants = new TenantTable(database);
    this.#organizations = new OrganizationTable(database);
    this.#users = new UserTable(database);
    this.#organizationUsers = new OrganizationUserTable(database);
    this.#sessions = new SessionTable(database);
    this.#invitations = new InvitationTable(database);
  }

  transaction<T>(work: (store: IdentityStore) => Promise<T>): Promise<T> {
    return this.#database.transaction(async (inside) => {
      await inside.dialect.lock(inside.writes, 'identities');
      return work(new SqlIdentityRepository(inside));
    });
  }

  findKeyByHash(hash: string): Promise<ApiKey | undefined> {
    return this.#keys.findByHash(hash);
  }
  findCloudKey(cloudKeyId: string): Promise<ApiKey | undefined> {
    return this.#keys.findByCloudKeyId(cloudKeyId);
  }
  findKey(id: string): Promise<ApiKey | undefined> {
    return this.#keys.findById(id);
  }
  listKeys(owner: { tenantId: string } | { organizationId: string }): Promise<ApiKey[]> {
    return this.#keys.list(owner);
  }
  insertKey(key: ApiKey): Promise<'inserted' | 'taken'> {
    return this.#keys.insert(key);
  }
  updateKey(id: string, changes: ApiKeyChanges): Promise<'updated' | 'missing' | 'taken'> {
    return this.#keys.update(id, changes);
  }
  touchKey(id: string, lastUsedAtMs: number): Promise<void> {
    return this.#keys.touch(id, lastUsedAtMs);
  }

  countTenants(): Promise<number> {
    return this.#tenants.count();
  }
  listTenants(): Promise<Tenant[]> {
    return this.#tenants.list();
  }
  findTenant(id: string): Promise<Tenant | undefined> {
    return this.#tenants.find(id);
  }
  findTeamByName(name: string): Promise<Tenant | undefined> {
    return this.#tenants.findTeamByName(name);
  }
  insertTenant(tenant: Tenant, createdAtMs: number): Promise<'inserted' | 'taken'> {
    return this.#tenants.insert(tenant, createdAtMs);
  }
  setTimeZone(id: string, timezone: string): Promise<void> {
    return this.#tenants.setTimeZone(id, timezone);
  }

  renameTenant(id: string, name: string): Promise<'renamed' | 'missing'> {
    return this.#tenants.rename(id, name);
  }

  listOrganizations(): Promise<Organization[]> {
    return this.#organizations.list();
  }
  findOrganization(id: string): Promise<Organization | undefined> {
    return this.#organizations.find(id);
  }
  saveOrganization(organization: Organization, nowMs: number): Promise<void> {
    return this.#organizations.save(organization, nowMs);
  }

  listUsers(tenantId: string): Promise<User[]> {
    return this.#users.list(tenantId);
  }
  findUser(id: string): Promise<User | undefined> {
    return this.#users.find(id);
  }
  findUserByEmail(email: string): Promise<User | undefined> {
    return this.#users.findByEmail(email);
  }
  findOwner(tenantId: string): Promise<User | undefined> {
    return this.#users.findOwner(tenantId);
  }
  insertUser(user: User): Promise<'inserted' | 'emailTaken'> {
    return this.#users.insert(user);
  }
  updateUser(id: string, changes: UserChanges): Promise<'updated' | 'missing' | 'emailTaken'> {
    return this.#users.update(id, changes);
  }
  hasUserPassword(): Promise<boolean> {
    return this.#users.anyPassword();
  }
  removeUser(tenantId: string, id: string): Promise<'removed' | 'missing'> {
    return this.#users.remove(tenantId, id);
  }

  hasOrganizationUser(): Promise<boolean> {
    return this.#organizationUsers.any();
  }
  findOrganizationUser(id: string): Promise<OrganizationUser | undefined> {
    return this.#organizationUsers.find(id);
  }
  findOrganizationUserByEmail(email: string): Promise<OrganizationUser | undefined> {
    return this.#organizationUsers.findByEmail(email);
  }
  insertOrganizationUser(user: OrganizationUser): Promise<'inserted' | 'emailTaken'> {
    return this.#organizationUsers.insert(user);
  }
  setOrganizationUserPassword(id: string, passwordHash: string): Promise<void> {
    return this.#organizationUsers.setPassword(id, passwordHash);
  }

  insertSession(session: StoredSession): Promise<void> {
    return this.#sessions.insert(session);
  }
  findSessionByHash(hash: string): Promise<StoredSession | undefined> {
    return this.#sessions.findByHash(hash);
  }
  updateSession(id: string, changes: { expiresAtMs?: number; passwordMark?: string }): Promise<void> {
    return this.#sessions.update(id, changes);
  }
  endSession(id: string): Promise<void> {
    return this.#sessions.end(id);
  }
  endSessionsOf(accountId: string): Promise<void> {
    return this.#sessions.endAllOf(accountId);
  }
  trimSessions(accountId: string, keep: number): Promise<void> {
    return this.#sessions.trim(accountId, keep);
  }
  removeExpiredSessions(nowMs: number): Promise<void> {
    return this.#sessions.removeExpired(nowMs);
  }

  listInvitations(tenantId: string): Promise<Invitation[]> {
    return this.#invitations.list(tenantId);
  }
  findInvitationByHash(hash: string): Promise<Invitation | undefined> {
    return this.#invitations.findByHash(hash);
  }
  saveInvitation(invitation: Invitation): Promise<void> {
    return this.#invitations.save(invitation);
  }
  removeInvitation(tenantId: string, id: string): Promise<'removed' | 'missing'> {
    return this.#invitations.remove(tenantId, id);
  }
}
