import type { Principal } from './principal.ts';
import type { Session } from './session.ts';

/** Checks `Authorization` headers. Each returns `undefined` for anything but a valid key of its kind. */
export interface BearerAuthenticator {
  /** Self-hosted: `Bearer <personal API access key>`. */
  authenticateBearer(authorization: string | undefined): Promise<Principal | undefined>;
}

export type BasicOutcome =
  | { kind: 'principal'; principal: Principal }
  | { kind: 'unauthenticated' }
  /**
   * A valid key without access to the organization or service in the path, whether those exist or not (decisions P4).
   */
  | { kind: 'forbidden' };

/** The ids in a managed path; absent where the path has none, as in `GET /v1/organizations`. */
export interface ManagedPlace {
  organizationId?: string;
  serviceId?: string;
}

export interface BasicAuthenticator {
  /** Managed: `Basic base64(keyId:keySecret)`, for the organization and service of the path. */
  authenticateBasic(authorization: string | undefined, path: ManagedPlace): Promise<BasicOutcome>;
  /** Managed: what a person's session may reach. */
  admitSession(session: Session, path: ManagedPlace): Promise<BasicOutcome>;
}

export interface IngestionAuthenticator {
  /** Collector: `<key>` or `Bearer <key>`; ingestion keys only. */
  authenticateIngestion(authorization: string | undefined): Promise<Principal | undefined>;
}
