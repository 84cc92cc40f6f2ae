import type {
  BasicAuthenticator,
  BasicOutcome,
  BearerAuthenticator,
  IngestionAuthenticator,
} from './authenticators.ts';
import { parseBasic, parseBearer, parseIngestionKey } from './authorization-header.ts';
import type { ApiKey } from './identity-repository.ts';
import type { KeyLookup } from './key-lookup.ts';
import { cloudCredential } from './key-secret.ts';
import type { Principal } from './principal.ts';
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

  async authenticateBasic(
    authorization: string | undefined,
    path: { organizationId: string; serviceId: string },
  ): Promise<BasicOutcome> {
    const credential = parseBasic(authorization);
    if (!credential) return { kind: 'unauthenticated' };
    const key = await this.#lookup.find('cloud', cloudCredential(credential.cloudKeyId, credential.secret));
    if (!key) return { kind: 'unauthenticated' };
    const serviceId = path.serviceId.toLowerCase();
    const allowed = await this.#mayReach(key, path.organizationId.toLowerCase(), serviceId);
    const principal = allowed ? principalOf(key, serviceId) : undefined;
    return principal ? { kind: 'principal', principal } : { kind: 'forbidden' };
  }

  /** A service that does not exist is as forbidden as one of another organization (decisions P4). */
  async #mayReach(key: ApiKey, organizationId: string, serviceId: string): Promise<boolean> {
    if (key.organizationId !== organizationId) return false;
    if (key.serviceIds && !key.serviceIds.includes(serviceId)) return false;
    const service = await this.#tenants.find(serviceId);
    return service?.kind === 'service' && service.organizationId === organizationId;
  }
}

function principalOf(key: ApiKey, tenantId: string | undefined): Principal | undefined {
  if (tenantId === undefined) return undefined;
  const principal: Principal = { kind: key.kind, tenantId, keyId: key.id, role: key.role };
  return key.userId === undefined ? principal : { ...principal, userId: key.userId };
}
