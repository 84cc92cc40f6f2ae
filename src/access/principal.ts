/** Who calls, and whose data they reach. Nothing below `http/` knows more about the caller. */
export interface Principal {
  /**
   * Personal API access key, cloud API key or ingestion key: three different things (decisions K1); a person's session
   * in the web UI; or `anonymous`, for the few operations that require no credential.
   */
  kind: 'personal' | 'cloud' | 'ingestion' | 'session' | 'anonymous';
  /**
   * Team (self-hosted) or service (managed): part of every row and every query (decisions F2). Empty, so that it finds
   * nothing, if the call is about an organization as a whole or unauthenticated.
   */
  tenantId: string;
  /** Of the key, or of the session. */
  keyId: string;
  /** `read` may not change anything. */
  role: 'admin' | 'read';
  /** End of the key, if it has one: it makes none that outlives it. */
  keyExpiresAtMs?: number;
  /** Set for personal keys and sessions. */
  userId?: string;
  /** Managed: the organization of the caller. */
  organizationId?: string;
  /** Services that a cloud key is limited to. */
  serviceIds?: readonly string[];
}

/** For public operations. */
export const anonymous: Principal = { kind: 'anonymous', tenantId: '', keyId: '', role: 'read' };
