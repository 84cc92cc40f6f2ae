import { sql } from 'kysely';
import type { AlertAcknowledged, AlertSilenced } from '../contract/alert.ts';
import { type AlertState, coversFiring, firingSince, freshState, isFiring } from '../evaluator/alert-state.ts';
import {
  type Alert,
  type AlertMarks,
  type AlertStatus,
  type ExecutionError,
  isEnabled,
  type StoredAlert,
} from '../resources/alerts/alert.ts';
import type {
  AlertRepository,
  AlertTransaction,
  MarkOutcome,
  Rescheduling,
  TileLookup,
} from '../resources/alerts/alert-repository.ts';
import type { Dashboard } from '../resources/dashboards/dashboard.ts';
import { existingWebhooks, insertAlert, insertChannels, neverMs, watchedColumns } from './alert-rows.ts';
import type { Executor, MetadataDatabase } from './metadata-database.ts';
import { parseDocument } from './stored-document.ts';
import { valuesTable } from './values-table.ts';

export class SqlAlertRepository implements AlertRepository {
  readonly #database: MetadataDatabase;

  constructor(database: MetadataDatabase) {
    this.#database = database;
  }

  transaction<T>(work: (transaction: AlertTransaction) => Promise<T>): Promise<T> {
    return this.#database.transaction((inside) => work(new SqlAlertTransaction(inside)));
  }

  find(tenantId: string, id: string): Promise<StoredAlert | undefined> {
    return findAlert(this.#database.reads, tenantId, id);
  }

  async list(
    tenantId: string,
    page: { limit: number; offset: number },
  ): Promise<{ alerts: StoredAlert[]; total: number }> {
    const { reads } = this.#database;
    const rows = await selectAlerts(reads, tenantId)
      .orderBy('alerts.sequence')
      .limit(page.limit)
      .offset(page.offset)
      .execute();
    const { total } = await reads
      .selectFrom('alerts')
      .select((select) => select.fn.countAll<number>().as('total'))
      .where('tenant_id', '=', tenantId)
      .executeTakeFirstOrThrow();
    return { alerts: await withDeliveryErrors(reads, rows), total };
  }

  async findMarks(tenantId: string, ids: readonly string[]): Promise<ReadonlyMap<string, AlertMarks>> {
    const { reads, dialect } = this.#database;
    const values = ids.map((id) => [id]);
    const rows = await reads
      .selectFrom('alerts')
      .select(['id', 'silenced', 'acknowledged'])
      .where('tenant_id', '=', tenantId)
      .where(sql<boolean>`id in ${valuesTable(dialect, { id: 'text' }, values)}`)
      .where((row) => row.or([row('silenced', 'is not', null), row('acknowledged', 'is not', null)]))
      .execute();
    return new Map(rows.map((row) => [row.id, toMarks(row)]));
  }

  async setSilenced(tenantId: string, id: string, silenced: AlertSilenced | null): Promise<boolean> {
    const result = await this.#database.writes
      .updateTable('alerts')
      .set({ silenced: silenced && JSON.stringify(silenced) })
      .where('tenant_id', '=', tenantId)
      .where('id', '=', id)
      .executeTakeFirst();
    return result.numUpdatedRows > 0n;
  }

  setAcknowledged(tenantId: string, id: string, acknowledged: AlertAcknowledged | null): Promise<MarkOutcome> {
    return this.#database.transaction(async ({ writes }) => {
      const row = await writes
        .selectFrom('alert_states')
        .select('state')
        .where('tenant_id', '=', tenantId)
        .where('alert_id', '=', id)
        .executeTakeFirst();
      if (!row) return 'missing';
      if (acknowledged && !isFiring(parseDocument<AlertState>(row.state))) return 'notFiring';
      const document = acknowledged && JSON.stringify(acknowledged);
      await writes.updateTable('alerts').set({ acknowledged: document }).where('id', '=', id).execute();
      return 'done';
    });
  }

  async remove(tenantId: string, id: string): Promise<boolean> {
    const result = await this.#database.writes
      .deleteFrom('alerts')
      .where('tenant_id', '=', tenantId)
      .where('id', '=', id)
      .executeTakeFirst();
    return result.numDeletedRows > 0n;
  }
}

class SqlAlertTransaction implements AlertTransaction {
  readonly #inside: MetadataDatabase;

  constructor(inside: MetadataDatabase) {
    this.#inside = inside;
  }

  async lookUpTile(tenantId: string, dashboardId: string, tileId: string): Promise<TileLookup> {
    // An update that changes nothing locks the row in both stores.
    const row = await this.#inside.writes
      .updateTable('dashboards')
      .set((column) => ({ version: column.ref('version') }))
      .where('tenant_id', '=', tenantId)
      .where('id', '=', dashboardId)
      .returning('document')
      .executeTakeFirst();
    if (!row) return { kind: 'dashboardMissing' };
    const { tiles } = parseDocument<Dashboard>(row.document);
    const tile = tiles.find(({ id }) => id === tileId);
    return tile ? { kind: 'found', tile } : { kind: 'tileMissing' };
  }

  async hasSavedSearch(tenantId: string, savedSearchId: string): Promise<boolean> {
    // As above: an update that changes nothing locks the row.
    const result = await this.#inside.writes
      .updateTable('saved_searches')
      .set((column) => ({ document: column.ref('document') }))
      .where('tenant_id', '=', tenantId)
      .where('id', '=', savedSearchId)
      .executeTakeFirst();
    return result.numUpdatedRows > 0n;
  }

  existingWebhooks(tenantId: string, webhookIds: readonly string[]): Promise<Set<string>> {
    return existingWebhooks(this.#inside, tenantId, webhookIds);
  }

  async find(tenantId: string, id: string): Promise<StoredAlert | undefined> {
    const { writes } = this.#inside;
    await writes
      .updateTable('alerts')
      .set((column) => ({ version: column.ref('version') }))
      .where('tenant_id', '=', tenantId)
      .where('id', '=', id)
      .execute();
    return findAlert(writes, tenantId, id);
  }

  insert(tenantId: string, alert: Alert, firstWindowEndMs: number): Promise<void> {
    return insertAlert(this.#inside.writes, tenantId, { alert, firstWindowEndMs });
  }

  async save(tenantId: string, alert: Alert, rescheduling: Rescheduling): Promise<void> {
    const { writes } = this.#inside;
    await writes
      .updateTable('alerts')
      .set((column) => ({
        ...watchedColumns(alert),
        document: JSON.stringify(alert),
        version: column('version', '+', 1),
        updated_at: Date.parse(alert.updatedAt),
      }))
      .where('tenant_id', '=', tenantId)
      .where('id', '=', alert.id)
      .execute();
    await writes.deleteFrom('alert_channels').where('alert_id', '=', alert.id).execute();
    await insertChannels(writes, tenantId, alert);
    await reschedule(writes, alert, rescheduling);
  }
}

/** The new epoch rejects a running evaluation of the previous rule. */
async function reschedule(writes: Executor, alert: Alert, { nextWindowEndMs, resetState }: Rescheduling) {
  await writes
    .updateTable('alert_states')
    .set((column) => ({
      epoch: column('epoch', '+', 1),
      ...(nextWindowEndMs !== undefined && { next_window_ms: nextWindowEndMs, due_ms: nextWindowEndMs }),
      ...(resetState && { status: freshState.status, state: JSON.stringify(freshState) }),
      ...(!isEnabled(alert) && { status: 'DISABLED', due_ms: neverMs }),
    }))
    .where('alert_id', '=', alert.id)
    .execute();
}

interface MarkTexts {
  silenced: string | null;
  acknowledged: string | null;
}

interface AlertTexts extends MarkTexts {
  id: string;
  document: string;
  status: string;
  /** Of firing and acknowledged alerts only: it can be long. */
  state: string | null;
  errors: string | null;
}

function selectAlerts(executor: Executor, tenantId: string) {
  return executor
    .selectFrom('alerts')
    .innerJoin('alert_states', 'alert_states.alert_id', 'alerts.id')
    .select(['alerts.id', 'alerts.document', 'alerts.silenced', 'alerts.acknowledged'])
    .select(['alert_states.status', 'alert_states.errors'])
    .select((row) =>
      row
        .case()
        .when(row.or([row('alerts.acknowledged', 'is not', null), row('alert_states.status', '=', 'ALERT')]))
        .then(row.ref('alert_states.state'))
        .end()
        .as('state'),
    )
    .where('alerts.tenant_id', '=', tenantId);
}

async function findAlert(executor: Executor, tenantId: string, id: string): Promise<StoredAlert | undefined> {
  const rows = await selectAlerts(executor, tenantId).where('alerts.id', '=', id).execute();
  const [stored] = await withDeliveryErrors(executor, rows);
  return stored;
}

async function withDeliveryErrors(executor: Executor, rows: readonly AlertTexts[]): Promise<StoredAlert[]> {
  if (rows.length === 0) return [];
  const failed = await executor
    .selectFrom('alert_delivery_errors')
    .select(['alert_id', 'document'])
    .where(
      'alert_id',
      'in',
      rows.map(({ id }) => id),
    )
    .execute();
  return rows.map((row) => {
    const own = failed.filter(({ alert_id }) => alert_id === row.id);
    return toStoredAlert(
      row,
      own.map(({ document }) => document),
    );
  });
}

function toStoredAlert(row: AlertTexts, deliveryErrors: readonly string[]): StoredAlert {
  const evaluated = row.errors === null ? undefined : parseDocument<ExecutionError[]>(row.errors);
  const delivery = deliveryErrors.map((document) => parseDocument<ExecutionError>(document));
  const executionErrors = evaluated || delivery.length > 0 ? [...(evaluated ?? []), ...delivery] : undefined;
  const state = row.state === null ? undefined : parseDocument<AlertState>(row.state);
  const status = parseStatus(row.status);
  const firingSinceMs = status === 'ALERT' && state ? firingSince(state) : undefined;
  return {
    alert: parseDocument<Alert>(row.document),
    status,
    ...(firingSinceMs !== undefined && { firingSinceMs }),
    ...marksInUse(row, state),
    ...(executionErrors && { executionErrors }),
  };
}

function marksInUse(row: AlertTexts, state: AlertState | undefined): AlertMarks {
  const { acknowledged, ...rest } = toMarks(row);
  const inUse = acknowledged && state && coversFiring(state, acknowledged.at);
  return inUse ? { ...rest, acknowledged } : rest;
}

function toMarks({ silenced, acknowledged }: MarkTexts): AlertMarks {
  return {
    ...(silenced !== null && { silenced: parseDocument<AlertSilenced>(silenced) }),
    ...(acknowledged !== null && { acknowledged: parseDocument<AlertAcknowledged>(acknowledged) }),
  };
}

function parseStatus(text: string): AlertStatus {
  switch (text) {
    case 'OK':
    case 'PENDING':
    case 'ALERT':
    case 'INSUFFICIENT_DATA':
    case 'DISABLED':
      return text;
    default:
      throw new Error('an alert is stored with an unknown status');
  }
}
