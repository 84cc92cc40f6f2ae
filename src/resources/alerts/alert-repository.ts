import type { AlertAcknowledged, AlertSilenced } from '../../contract/alert.ts';
import type { Tile } from '../../contract/tile.ts';
import type { Alert, AlertMarks, StoredAlert } from './alert.ts';

export type TileLookup = { kind: 'found'; tile: Tile } | { kind: 'dashboardMissing' } | { kind: 'tileMissing' };

/** How evaluation continues after a save. */
export interface Rescheduling {
  /** End of the next window to evaluate, Unix ms; absent = as before. */
  nextWindowEndMs?: number;
  /** Start again at OK, silently (decisions A3). */
  resetState: boolean;
}

/** Inside one transaction. */
export interface AlertTransaction {
  /** The dashboard can't change before the transaction ends, so a tile removed meanwhile leaves no orphan. */
  lookUpTile(tenantId: string, dashboardId: string, tileId: string): Promise<TileLookup>;
  /** Whether the tenant has it; it can't be removed before the transaction ends. */
  hasSavedSearch(tenantId: string, savedSearchId: string): Promise<boolean>;
  /** The ids that are webhooks of this tenant; they can't be removed before the transaction ends. */
  existingWebhooks(tenantId: string, webhookIds: readonly string[]): Promise<Set<string>>;
  /** Locks the alert until the transaction ends. */
  find(tenantId: string, id: string): Promise<StoredAlert | undefined>;
  /** An alert that is not enabled is DISABLED and never due. */
  insert(tenantId: string, alert: Alert, firstWindowEndMs: number): Promise<void>;
  /** The alert was found in this transaction. One that is not enabled becomes DISABLED and is never due. */
  save(tenantId: string, alert: Alert, rescheduling: Rescheduling): Promise<void>;
}

export type MarkOutcome = 'done' | 'missing' | 'notFiring';

export interface AlertRepository {
  /** Commits when `work` resolves, rolls back when it throws. May run `work` again after a conflict. */
  transaction<T>(work: (transaction: AlertTransaction) => Promise<T>): Promise<T>;
  /** Another tenant's id is not found. */
  find(tenantId: string, id: string): Promise<StoredAlert | undefined>;
  /** In order of creation. */
  list(tenantId: string, page: { limit: number; offset: number }): Promise<{ alerts: StoredAlert[]; total: number }>;
  /** What people said of each, whether it still holds or not; alerts of which nothing was said are left out. */
  findMarks(tenantId: string, ids: readonly string[]): Promise<ReadonlyMap<string, AlertMarks>>;
  /** `null` takes it away. False when there is no such alert. */
  setSilenced(tenantId: string, id: string, silenced: AlertSilenced | null): Promise<boolean>;
  /** `null` takes it away. `notFiring`: there is nothing to acknowledge. */
  setAcknowledged(tenantId: string, id: string, acknowledged: AlertAcknowledged | null): Promise<MarkOutcome>;
  /** False when there was none. State and history go with the alert; notifications that are due are still sent. */
  remove(tenantId: string, id: string): Promise<boolean>;
}
