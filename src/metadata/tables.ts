import type { Generated } from 'kysely';
import type { AlertTables } from './alert-tables.ts';
import type { DashboardTables, SavedColumns } from './dashboard-tables.ts';
import type { PipeTables } from './pipe-tables.ts';

/**
 * The tables as both stores have them: text ids, documents as JSON text (key order and escapes survive), times as
 * Unix ms. `sequence` grows with each insert, so lists come in order of creation also within one millisecond.
 */
export interface MetadataTables extends AlertTables, DashboardTables, PipeTables {
  migrations: MigrationRow;
  organizations: OrganizationRow;
  tenants: TenantRow;
  users: UserRow;
  api_keys: ApiKeyRow;
  sessions: SessionRow;
  invitations: InvitationRow;
  organization_users: OrganizationUserRow;
  dashboards: DashboardRow;
  connections: ConnectionRow;
  sources: SourceRow;
  webhooks: WebhookRow;
  pipes: PipeRow;
  saved_searches: SavedSearchRow;
  silences: SilenceRow;
  alerts: AlertRow;
  alert_channels: AlertChannelRow;
  secret_key_seal: SecretKeySealRow;
}

interface Ordered {
  sequence: Generated<number>;
  id: string;
}

/** A JSON text that belongs to one tenant. */
interface TenantDocument extends Ordered {
  tenant_id: string;
  document: string;
}

interface SecretKeySealRow {
  id: number;
  /** A known text: only the key that sealed the store's secrets opens it. */
  sealed: string;
}

interface MigrationRow {
  name: string;
  applied_at: number;
}

interface OrganizationRow extends Ordered {
  name: string;
  created_at: number;
}

interface TenantRow extends Ordered {
  kind: 'team' | 'service';
  /** Of services only. */
  organization_id: string | null;
  name: string;
  telemetry_database: string;
  created_at: number;
  /** NULL = UTC. */
  timezone: string | null;
}

interface UserRow extends Ordered {
  tenant_id: string;
  /** Lower case. */
  email: string | null;
  name: string | null;
  role: 'owner' | 'member';
  password_hash: string | null;
  created_at: number;
}

interface ApiKeyRow extends Ordered {
  kind: 'personal' | 'cloud' | 'ingestion';
  name: string;
  /** SHA-256 of the secret in hex. */
  key_hash: string;
  tenant_id: string | null;
  user_id: string | null;
  organization_id: string | null;
  /** Public half of a cloud key. */
  cloud_key_id: string | null;
  /** JSON array; null = every service of the organization. */
  service_ids: string | null;
  role: 'admin' | 'read';
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
  last_used_at: number | null;
  /** First characters of the secret, for people to distinguish keys; null = made before they were kept. */
  prefix: string | null;
}

interface SessionRow extends Ordered {
  /** SHA-256 of the token in hex. */
  token_hash: string;
  account_id: string;
  password_mark: string;
  created_at: number;
  expires_at: number;
}

interface InvitationRow extends Ordered {
  tenant_id: string;
  /** Lower case. */
  email: string;
  name: string | null;
  token_hash: string;
  sealed_token: string;
  created_at: number;
  expires_at: number;
}

interface OrganizationUserRow extends Ordered {
  organization_id: string;
  /** Lower case. */
  email: string;
  name: string | null;
  password_hash: string;
  created_at: number;
}

interface DashboardRow extends TenantDocument, SavedColumns {
  name: string;
  version: number;
}

interface ConnectionRow extends TenantDocument {}

interface SourceRow extends TenantDocument {
  connection_id: string;
}

interface WebhookRow extends TenantDocument {
  service: string;
  name: string;
}

interface PipeRow extends TenantDocument {}

interface SavedSearchRow extends TenantDocument {}

interface SilenceRow extends TenantDocument {
  /** Unix ms; null = recurs without end. */
  ends_ms: number | null;
}

/** Columns that resources other than alerts rely on; the alert repository knows more. */
interface AlertRow extends TenantDocument {
  dashboard_id: string | null;
  tile_id: string | null;
  saved_search_id: string | null;
  /** This and the next: JSON of what people said of it; null = nothing. */
  silenced: string | null;
  acknowledged: string | null;
  version: number;
  created_at: number;
  updated_at: number;
}

interface AlertChannelRow {
  tenant_id: string;
  alert_id: string;
  webhook_id: string;
}
