import type { TimeRange } from '../query/chart-query.ts';
import type { ThresholdType } from '../resources/alerts/alert.ts';

export interface GroupPart {
  /** The expression that made the value, as the tile's `groupBy` has it. */
  key: string;
  value: string;
}

/** One window's answer for one group; an empty `group` = the tile does not group. */
export interface Sample {
  /** Group values in the order of the tile's `groupBy`, with the expression that made each. */
  group: readonly GroupPart[];
  /** null when the engine has no number (a ratio with denominator 0). */
  value: number | null;
}

export type Reading =
  | {
      kind: 'samples';
      samples: readonly Sample[];
      /** Missing data counts as 0: count, count_distinct and sum (decisions A6). */
      missingIsZero: boolean;
      grouped: boolean;
      /** Groups beyond the cap were cut off: those that are missing are unknown, not gone (U-31). */
      truncated?: boolean;
      /** Changes when the tile's query does; the state then starts again at OK (decisions A3). */
      fingerprint?: string;
    }
  | { kind: 'error'; type: 'QUERY_ERROR' | 'QUERY_TIMEOUT' | 'INVALID_ALERT'; message: string };

/** Port: what a tile shows over one window, through the same compiler as the chart (decisions A6, journey D). */
export interface TileReader {
  read(request: {
    tenantId: string;
    dashboardId: string;
    tileId: string;
    window: TimeRange;
    signal?: AbortSignal;
  }): Promise<Reading>;
}

/** Port: what people call the watched tile and its dashboard. Absent names are unnamed or gone. */
export interface TileNames {
  find(tenantId: string, dashboardId: string, tileId: string): Promise<{ dashboard?: string; tile?: string }>;
}

/** Why a channel is told: a group started to fire, still fires (`repeatInterval`), or has ended. */
export type NotificationReason = 'firing' | 'repeat' | 'resolved';

/** Everything a message needs, as it was when the window was judged: what is sent never depends on later edits. */
export interface Notification {
  reason: NotificationReason;
  alert: {
    id: string;
    name?: string;
    message?: string;
    note?: string;
    threshold: number;
    thresholdMax?: number;
    thresholdType: ThresholdType;
    interval: string;
  };
  /** What is watched: a tile of a dashboard, or a saved search. */
  dashboard?: { id: string; name?: string };
  tile?: { id: string; name?: string };
  savedSearch?: { id: string; name?: string };
  group: readonly GroupPart[];
  /** The judged value; null when the group had no data in this window. */
  value: number | null;
  window: TimeRange;
  /** End of the window in which this group started to fire, Unix ms. */
  firingSinceMs?: number;
}

export type Severity = 'critical' | 'error' | 'warning' | 'info';

/** One message to one webhook, written in the transaction that changed the state (decisions A8). */
export interface OutgoingNotification {
  /** The same for the same alert, group, window, reason and webhook: a second write of it is no second message. */
  id: string;
  tenantId: string;
  webhookId: string;
  /** Stable per alert and group, also over renames and restarts; firing and resolved share it (U-49). */
  eventId: string;
  /** The same on each try of this message. */
  idempotencyKey: string;
  createdAtMs: number;
  /** As the alert's channel has it. */
  severity?: Severity;
  /** The message that this one sends once more, with its idempotency key. */
  replayOf?: string;
  notification: Notification;
}
