import type {
  BasicAuthenticator,
  BasicOutcome,
  BearerAuthenticator,
  IngestionAuthenticator,
  ManagedPlace,
} from './authenticators.ts';
import { parseBasic, parseBearer, parseIngestionKey } from './authorization-header.ts';
import type { ApiKey } from './identity-repository.ts';
import type { KeyLookup } from './key-lookup.ts';
import { cloudCredential } from './key-secret.ts';
import type { Principal } from './principal.ts';
import type { Session } from './session.ts';
import type { TenantDirectory } from './tenants.ts';

/** Self-hosted API: personal API access keys. */
export class PersonalKeyAuthenticator implements BearerAuthenticator {
  readonly #lookup: KeyLookup;

  constructor(lookup: KeyLookup) {
    this.#lookup = lookup;
  }

  async authenticateBearer(authorization: string | undefined): Promise<Principal | undefined> {
    const secret = parseBearer(authorization);
    const key = secret === undefined ? undefined : await this.#lookup.find('personal', secret);
    return key && principalOf(key, key.tenantId);
  }
}

/** Collector: ingestion keys. */
export class IngestionKeyAuthenticator implements IngestionAuthenticator {
  readonly #lookup: KeyLookup;

  constructor(lookup: KeyLookup) {
    this.#lookup = lookup;
  }

  async authenticateIngestion(authorization: string | undefined): Promise<Principal | undefined> {
    const secret = parseIngestionKey(authorization);
    const key = secret === undefined ? undefined : await this.#lookup.find('ingestion', secret);
    return key && principalOf(key, key.tenantId);
  }
}

/** Managed API: cloud API keys, for one service of their organization. */
export class CloudKeyAuthenticator implements BasicAuthenticator {
  readonly #lookup: KeyLookup;
  readonly #tenants: TenantDirectory;

  constructor(lookup: KeyLookup, tenants: TenantDirectory) {
    this.#lookup = lookup;
    this.#tenants = tenants;
  }

  async authenticateBasic(authorization: string | undefined, path: ManagedPlace): Promise<BasicOutcome> {
    const credential = parseBasic(authorization);
    if (!credential) return { kind: 'unauthenticated' };
    const key = await this.#lookup.find('cloud', cloudCredential(credential.cloudKeyId, credential.secret));
    if (!key?.organizationId) return { kind: 'unauthenticated' };
    if (!(await this.#mayReach(key, path))) return { kind: 'forbidden' };
    const principal = principalOf(key, path.serviceId?.toLowerCase() ?? '');
    return principal ? { kind: 'principal', principal } : { kind: 'forbidden' };
  }

  async admitSession({ id, account }: Session, path: ManagedPlace): Promise<BasicOutcome> {
    const { organizationId } = account;
    if (organizationId === undefined) return { kind: 'unauthenticated' };
    if (!(await this.#mayReach({ organizationId }, path))) return { kind: 'forbidden' };
    const tenantId = path.serviceId?.toLowerCase() ?? '';
    const principal = { tenantId, keyId: id, role: 'admin', userId: account.id, organizationId } as const;
    return { kind: 'principal', principal: { kind: 'session', ...principal } };
  }

  /** A service that does not exist is as forbidden as one of another organization (decisions P4). */
  async #mayReach(caller: Pick<ApiKey, 'organizationId' | 'serviceIds'>, path: ManagedPlace): Promise<boolean> {
    const organizationId = path.organizationId?.toLowerCase();
    if (organizationId !== undefined && caller.organizationId !== organizationId) return false;
    const serviceId = path.serviceId?.toLowerCase();
    if (serviceId === undefined) return true;
    if (caller.serviceIds && !caller.serviceIds.includes(serviceId)) return false;
    const service = await this.#tenants.find(serviceId);
    return service?.kind === 'service' && service.organizationId === organizationId;
  }
}

function principalOf(key: ApiKey, tenantId: string | undefined): Principal | undefined {
  if (tenantId === undefined) return undefined;
  const { kind, id: keyId, role, userId, organizationId, serviceIds, expiresAtMs } = key;
  return {
    ...{ kind, tenantId, keyId, role },
    ...(expiresAtMs === undefined ? {} : { keyExpiresAtMs: expiresAtMs }),
    ...(userId === undefined ? {} : { userId }),
    ...(organizationId === undefined ? {} : { organizationId }),
    ...(serviceIds === undefined ? {} : { serviceIds }),
  };
}
