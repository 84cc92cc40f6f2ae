import type { InvitationStore } from './invitation.ts';
import type { OrganizationUserStore } from './organization-user.ts';
import type { SessionStore } from './session.ts';
import type { Tenant } from './tenants.ts';

/** The three kinds of keys, never taken for one another (decisions K1). */
export type KeyKind = 'personal' | 'cloud' | 'ingestion';

export interface ApiKey {
  /** 24 hex. */
  id: string;
  kind: KeyKind;
  name: string;
  /** SHA-256 of the secret, 64 hex. Unique over all kinds, also among revoked and expired keys. */
  hash: string;
  /** Team or service; set for personal and ingestion keys. */
  tenantId?: string;
  /** Set for personal keys. */
  userId?: string;
  /** Set for cloud keys. */
  organizationId?: string;
  /** Public half of a cloud key (the user name of Basic authentication); unique. */
  cloudKeyId?: string;
  /** Services that a cloud key may reach; absent = every service of its organization. */
  serviceIds?: readonly string[];
  role: 'admin' | 'read';
  /** First characters of the secret, by which people distinguish keys; absent on keys made elsewhere. */
  prefix?: string;
  createdAtMs: number;
  /** The key is valid only before this time; absent = forever. */
  expiresAtMs?: number;
  revokedAtMs?: number;
  lastUsedAtMs?: number;
}

/** Fields left out stay as they are; `null` clears. */
export interface ApiKeyChanges {
  name?: string;
  hash?: string;
  role?: 'admin' | 'read';
  serviceIds?: readonly string[] | null;
  expiresAtMs?: number | null;
  revokedAtMs?: number | null;
}

export interface User {
  /** 24 hex. */
  id: string;
  tenantId: string;
  /** Lower case; unique over all tenants. Absent while the first owner has not signed up (decisions S1). */
  email?: string;
  name?: string;
  role: 'owner' | 'member';
  /** argon2id in PHC form; absent = cannot log in. */
  passwordHash?: string;
  createdAtMs: number;
}

/** Fields left out stay as they are. */
export interface UserChanges {
  email?: string;
  name?: string;
  passwordHash?: string;
}

/** Managed: owner of services and cloud keys. */
export interface Organization {
  /** UUID. */
  id: string;
  name: string;
}

/** Whose keys: of one tenant (personal and ingestion keys), or of one organization (cloud keys). */
export type KeyScope = { tenantId: string } | { organizationId: string };

export interface ApiKeyStore {
  /** One indexed read. Revoked and expired keys are found too: the caller decides. */
  findKeyByHash(hash: string): Promise<ApiKey | undefined>;
  /** One indexed read. */
  findCloudKey(cloudKeyId: string): Promise<ApiKey | undefined>;
  findKey(id: string): Promise<ApiKey | undefined>;
  /** By creation. */
  listKeys(scope: KeyScope): Promise<ApiKey[]>;
  /** `taken`: the hash or the cloud key id exists already; nothing is written. */
  insertKey(key: ApiKey): Promise<'inserted' | 'taken'>;
  /** `missing` when there is no such key, `taken` when `hash` belongs to another one; nothing is written then. */
  updateKey(id: string, changes: ApiKeyChanges): Promise<'updated' | 'missing' | 'taken'>;
  /** Stores the time of use unless a later one is stored. */
  touchKey(id: string, lastUsedAtMs: number): Promise<void>;
}

export interface TenantStore {
  countTenants(): Promise<number>;
  /** By creation. */
  listTenants(): Promise<Tenant[]>;
  findTenant(id: string): Promise<Tenant | undefined>;
  /** The oldest of this name. */
  findTeamByName(name: string): Promise<Tenant | undefined>;
  /** `taken`: the id or the telemetry database exists already; nothing is written. */
  insertTenant(tenant: Tenant, createdAtMs: number): Promise<'inserted' | 'taken'>;
  /** Names may repeat: rejecting one would reveal the name of another tenant. */
  renameTenant(id: string, name: string): Promise<'renamed' | 'missing'>;
  /** Does nothing when there is no such tenant. */
  setTimeZone(id: string, timezone: string): Promise<void>;
}

export interface OrganizationStore {
  /** By creation. */
  listOrganizations(): Promise<Organization[]>;
  findOrganization(id: string): Promise<Organization | undefined>;
  /** Inserts, or renames the one with this id. */
  saveOrganization(organization: Organization, nowMs: number): Promise<void>;
}

export interface UserStore {
  /** By creation. */
  listUsers(tenantId: string): Promise<User[]>;
  findUser(id: string): Promise<User | undefined>;
  /** `email` in lower case. */
  findUserByEmail(email: string): Promise<User | undefined>;
  /** The oldest owner of a tenant. */
  findOwner(tenantId: string): Promise<User | undefined>;
  /** `emailTaken`: nothing is written. */
  insertUser(user: User): Promise<'inserted' | 'emailTaken'>;
  updateUser(id: string, changes: UserChanges): Promise<'updated' | 'missing' | 'emailTaken'>;
  /** Whether any user, of any team, can log in. */
  hasUserPassword(): Promise<boolean>;
  /** With their keys; `missing` also for a user of another tenant. */
  removeUser(tenantId: string, id: string): Promise<'removed' | 'missing'>;
}

/** What works inside a transaction as well as outside. */
export interface IdentityStore
  extends ApiKeyStore,
    TenantStore,
    OrganizationStore,
    UserStore,
    OrganizationUserStore,
    SessionStore,
    InvitationStore {}

/** Port: who may do what. Implemented over both metadata stores. */
export interface IdentityRepository extends IdentityStore {
  /**
   * Commits when `work` resolves, rolls back when it throws. Transactions that write identities run one at a time,
   * over all processes on the store: two replicas that start together do not create the first team twice.
   */
  transaction<T>(work: (store: IdentityStore) => Promise<T>): Promise<T>;
}
