/** Who calls, and whose data they reach. Nothing below `http/` knows more about the caller. */
export interface Principal {
  /** Personal API access key, cloud API key or ingestion key: three different things (decisions K1). */
  kind: 'personal' | 'cloud' | 'ingestion';
  /** Team (self-hosted) or service (managed): stands in every row and every query (decisions F2). */
  tenantId: string;
  keyId: string;
  /** `read` may not change anything. */
  role: 'admin' | 'read';
  /** Set for personal keys. */
  userId?: string;
}
