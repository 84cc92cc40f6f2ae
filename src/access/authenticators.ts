import type { Principal } from './principal.ts';

/** Checks `Authorization` headers. Each answers `undefined` for anything that is not a valid key of its own kind. */
export interface BearerAuthenticator {
  /** Self-hosted: `Bearer <personal API access key>`. */
  authenticateBearer(authorization: string | undefined): Promise<Principal | undefined>;
}

export type BasicOutcome =
  | { kind: 'principal'; principal: Principal }
  | { kind: 'unauthenticated' }
  /** A valid key without access to the organization or service in the path, whether those exist or not (decisions P4). */
  | { kind: 'forbidden' };

export interface BasicAuthenticator {
  /** Managed: `Basic base64(keyId:keySecret)` for one organization and service. */
  authenticateBasic(
    authorization: string | undefined,
    path: { organizationId: string; serviceId: string },
  ): Promise<BasicOutcome>;
}

export interface IngestionAuthenticator {
  /** Collector: `<key>` or `Bearer <key>`; ingestion keys only. */
  authenticateIngestion(authorization: string | undefined): Promise<Principal | undefined>;
}
