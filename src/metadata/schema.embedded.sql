CREATE TABLE "alert_channels" (
  "tenant_id" text not null,
  "alert_id" text not null references "alerts" ("id") on delete cascade,
  "webhook_id" text not null,
  constraint "alert_channels_key" primary key ("alert_id", "webhook_id")
);

CREATE INDEX "alert_channels_webhook" on "alert_channels" ("tenant_id", "webhook_id");

CREATE TABLE "alert_delivery_errors" (
  "alert_id" text not null references "alert_states" ("alert_id") on delete cascade,
  "webhook_id" text not null,
  "document" text not null,
  constraint "alert_delivery_errors_key" primary key ("alert_id", "webhook_id")
);

CREATE TABLE "alert_history" (
  "alert_id" text not null references "alert_states" ("alert_id") on delete cascade,
  "tenant_id" text not null,
  "window_end_ms" integer not null,
  "document" text not null,
  constraint "alert_history_key" primary key ("alert_id", "window_end_ms")
);

CREATE INDEX "alert_history_age" on "alert_history" ("window_end_ms");

CREATE TABLE "alert_states" (
  "alert_id" text not null primary key references "alerts" ("id") on delete cascade,
  "tenant_id" text not null,
  "epoch" integer not null,
  "next_window_ms" integer not null,
  "due_ms" integer not null,
  "lease_owner" text,
  "lease_until_ms" integer not null,
  "status" text not null,
  "state" text not null,
  "errors" text
);

CREATE INDEX "alert_states_due" on "alert_states" ("due_ms", "lease_until_ms");

CREATE TABLE "alerts" (
  "sequence" integer primary key autoincrement,
  "id" text not null unique,
  "tenant_id" text not null,
  "document" text not null,
  "dashboard_id" text,
  "tile_id" text,
  "version" integer not null,
  "created_at" integer not null,
  "updated_at" integer not null,
  "saved_search_id" text references "saved_searches" ("id") on delete cascade,
  "silenced" text,
  "acknowledged" text,
  constraint "alerts_order" unique ("tenant_id", "sequence")
);

CREATE INDEX "alerts_saved_search" on "alerts" ("tenant_id", "saved_search_id");

CREATE INDEX "alerts_tile" on "alerts" ("tenant_id", "dashboard_id", "tile_id");

CREATE TABLE "api_keys" (
  "sequence" integer primary key autoincrement,
  "id" text not null unique,
  "kind" text not null check (kind in ('personal', 'cloud', 'ingestion')),
  "name" text not null,
  "key_hash" text not null unique,
  "tenant_id" text references "tenants" ("id"),
  "user_id" text references "users" ("id") on delete cascade,
  "organization_id" text references "organizations" ("id"),
  "cloud_key_id" text unique,
  "service_ids" text,
  "role" text not null check (role in ('admin', 'read')),
  "created_at" integer not null,
  "expires_at" integer,
  "revoked_at" integer,
  "last_used_at" integer,
  "prefix" text
);

CREATE INDEX "api_keys_organization_id" on "api_keys" ("organization_id", "sequence");

CREATE INDEX "api_keys_tenant_id" on "api_keys" ("tenant_id", "sequence");

CREATE INDEX "api_keys_user_id" on "api_keys" ("user_id", "sequence");

CREATE TABLE "connections" (
  "sequence" integer primary key autoincrement,
  "id" text not null unique,
  "tenant_id" text not null,
  "document" text not null,
  constraint "connections_order" unique ("tenant_id", "sequence"),
  constraint "connections_of_tenant" unique ("tenant_id", "id")
);

CREATE TABLE "dashboard_versions" (
  "tenant_id" text not null,
  "dashboard_id" text not null,
  "version" integer not null,
  "document" text not null,
  "saved_ms" integer,
  "saved_by" text,
  "summary" text,
  "replaced_ms" integer not null,
  constraint "dashboard_versions_key" primary key ("tenant_id", "dashboard_id", "version")
);

CREATE INDEX "dashboard_versions_age" on "dashboard_versions" ("replaced_ms");

CREATE TABLE "dashboards" (
  "sequence" integer primary key autoincrement,
  "id" text not null unique,
  "tenant_id" text not null,
  "document" text not null,
  "name" text not null,
  "version" integer not null,
  "saved_ms" integer,
  "saved_by" text,
  "summary" text,
  constraint "dashboards_order" unique ("tenant_id", "sequence")
);

CREATE INDEX "dashboards_name" on "dashboards" ("tenant_id", "name");

CREATE TABLE "deleted_dashboards" (
  "id" text not null primary key,
  "tenant_id" text not null,
  "name" text not null,
  "document" text not null,
  "version" integer not null,
  "saved_ms" integer,
  "saved_by" text,
  "summary" text,
  "alerts" text not null,
  "alert_count" integer not null,
  "deleted_ms" integer not null,
  "deleted_by" text not null
);

CREATE INDEX "deleted_dashboards_age" on "deleted_dashboards" ("deleted_ms");

CREATE INDEX "deleted_dashboards_tenant" on "deleted_dashboards" ("tenant_id", "deleted_ms");

CREATE TABLE "delivery_attempts" (
  "sequence" integer primary key autoincrement,
  "message_id" text not null,
  "tenant_id" text not null,
  "alert_id" text not null,
  "webhook_id" text not null,
  "attempt" integer not null,
  "at_ms" integer not null,
  "duration_ms" integer not null,
  "status" integer,
  "error" text,
  "reason" text,
  "group_parts" text,
  "notice" text
);

CREATE INDEX "delivery_attempts_age" on "delivery_attempts" ("at_ms");

CREATE INDEX "delivery_attempts_alert" on "delivery_attempts" ("tenant_id", "alert_id", "sequence");

CREATE TABLE "favourites" (
  "tenant_id" text not null,
  "user_id" text not null,
  "dashboard_id" text not null,
  constraint "favourites_key" primary key ("tenant_id", "user_id", "dashboard_id")
);

CREATE INDEX "favourites_dashboard" on "favourites" ("tenant_id", "dashboard_id");

CREATE TABLE "invitations" (
  "sequence" integer primary key autoincrement,
  "id" text not null unique,
  "tenant_id" text not null references "tenants" ("id"),
  "email" text not null,
  "name" text,
  "token_hash" text not null unique,
  "sealed_token" text not null,
  "created_at" integer not null,
  "expires_at" integer not null,
  constraint "invitations_email" unique ("tenant_id", "email")
);

CREATE TABLE "migrations" (
  "name" text not null primary key,
  "applied_at" bigint not null
);

CREATE TABLE "organization_users" (
  "sequence" integer primary key autoincrement,
  "id" text not null unique,
  "organization_id" text not null references "organizations" ("id"),
  "email" text not null unique,
  "name" text,
  "password_hash" text not null,
  "created_at" integer not null
);

CREATE TABLE "organizations" (
  "sequence" integer primary key autoincrement,
  "id" text not null unique,
  "name" text not null,
  "created_at" integer not null
);

CREATE TABLE "outbox" (
  "sequence" integer primary key autoincrement,
  "id" text not null unique,
  "tenant_id" text not null,
  "alert_id" text not null,
  "webhook_id" text not null,
  "event_id" text not null,
  "status" text not null check (status in ('open', 'delivered', 'failed')),
  "created_ms" integer not null,
  "next_attempt_ms" integer not null,
  "attempts" integer not null,
  "claim" text,
  "claim_until_ms" integer not null,
  "document" text not null,
  "last_at_ms" integer,
  "last_status" integer,
  "last_error" text
);

CREATE INDEX "outbox_age" on "outbox" ("created_ms");

CREATE INDEX "outbox_alert" on "outbox" ("tenant_id", "alert_id", "created_ms");

CREATE INDEX "outbox_due" on "outbox" ("next_attempt_ms") where "status" = 'open';

CREATE INDEX "outbox_event" on "outbox" ("webhook_id", "event_id", "sequence") where "status" = 'open';

CREATE TABLE "pipe_changes" (
  "pipe_id" text not null references "pipes" ("id") on delete cascade,
  "number" integer not null,
  "at_ms" integer not null,
  "state" text not null,
  "reason" text,
  "source" text not null,
  constraint "pipe_changes_key" primary key ("pipe_id", "number")
);

CREATE TABLE "pipe_positions" (
  "pipe_id" text not null references "pipes" ("id") on delete cascade,
  "key" text not null,
  "position" text not null,
  constraint "pipe_positions_key" primary key ("pipe_id", "key")
);

CREATE TABLE "pipe_runs" (
  "pipe_id" text not null primary key references "pipes" ("id") on delete cascade,
  "tenant_id" text not null,
  "state" text not null,
  "reason" text,
  "changed_ms" integer not null,
  "due_ms" integer not null,
  "failures" integer not null,
  "generation" integer not null,
  "lease_owner" text,
  "lease_until_ms" integer not null,
  "progress" text not null
);

CREATE INDEX "pipe_runs_due" on "pipe_runs" ("state", "due_ms", "lease_until_ms");

CREATE TABLE "pipes" (
  "sequence" integer primary key autoincrement,
  "id" text not null unique,
  "tenant_id" text not null,
  "document" text not null,
  constraint "pipes_order" unique ("tenant_id", "sequence")
);

CREATE TABLE "saved_searches" (
  "sequence" integer primary key autoincrement,
  "id" text not null unique,
  "tenant_id" text not null,
  "document" text not null,
  constraint "saved_searches_order" unique ("tenant_id", "sequence")
);

CREATE TABLE "secret_key_seal" (
  "id" integer not null primary key,
  "sealed" text not null
);

CREATE TABLE "sessions" (
  "sequence" integer primary key autoincrement,
  "id" text not null unique,
  "token_hash" text not null unique,
  "account_id" text not null,
  "password_mark" text not null,
  "created_at" integer not null,
  "expires_at" integer not null
);

CREATE INDEX "sessions_account" on "sessions" ("account_id", "sequence");

CREATE INDEX "sessions_expiry" on "sessions" ("expires_at");

CREATE TABLE "silences" (
  "sequence" integer primary key autoincrement,
  "id" text not null unique,
  "tenant_id" text not null,
  "document" text not null,
  "ends_ms" integer,
  constraint "silences_order" unique ("tenant_id", "sequence")
);

CREATE INDEX "silences_end" on "silences" ("tenant_id", "ends_ms");

CREATE TABLE "sources" (
  "sequence" integer primary key autoincrement,
  "id" text not null unique,
  "tenant_id" text not null,
  "document" text not null,
  "connection_id" text not null,
  constraint "sources_order" unique ("tenant_id", "sequence"),
  constraint "sources_own_connection" foreign key ("tenant_id", "connection_id") references "connections" ("tenant_id", "id")
);

CREATE INDEX "sources_connection" on "sources" ("tenant_id", "connection_id");

CREATE TABLE "tenants" (
  "sequence" integer primary key autoincrement,
  "id" text not null unique,
  "kind" text not null check (kind in ('team', 'service')),
  "organization_id" text references "organizations" ("id"),
  "name" text not null,
  "telemetry_database" text not null unique,
  "created_at" integer not null,
  "timezone" text
);

CREATE INDEX "tenants_name" on "tenants" ("name");

CREATE TABLE "users" (
  "sequence" integer primary key autoincrement,
  "id" text not null unique,
  "tenant_id" text not null references "tenants" ("id"),
  "email" text unique,
  "name" text,
  "role" text not null check (role in ('owner', 'member')),
  "password_hash" text,
  "created_at" integer not null
);

CREATE INDEX "users_tenant" on "users" ("tenant_id", "sequence");

CREATE TABLE "webhook_receivers" (
  "webhook_id" text not null primary key,
  "failures" integer not null,
  "resume_ms" integer not null
);

CREATE TABLE "webhooks" (
  "sequence" integer primary key autoincrement,
  "id" text not null unique,
  "tenant_id" text not null,
  "document" text not null,
  "service" text not null,
  "name" text not null,
  constraint "webhooks_order" unique ("tenant_id", "sequence"),
  constraint "webhooks_name" unique ("tenant_id", "service", "name")
);
