import type { TimeRange } from '../query/chart-query.ts';
import type { Alert, AlertStatus, ThresholdType, Watched } from '../resources/alerts/alert.ts';

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
      /** A group may have several samples, as statements of people answer: the worst counts. */
      mayRepeat?: true;
      /** Groups beyond the cap were cut off: those that are missing are unknown, not gone (U-31). */
      truncated?: boolean;
      /** Changes when the tile's query does; the state then starts again at OK (decisions A3). */
      fingerprint?: string;
    }
  | { kind: 'error'; type: 'QUERY_ERROR' | 'QUERY_TIMEOUT' | 'INVALID_ALERT'; message: string };

/** Port: what a tile shows, or a saved search counts, over one window, through the same compiler as the chart (decisions A6, journey D). */
export interface TileReader {
  read(request: { tenantId: string; watched: Watched; window: TimeRange; signal?: AbortSignal }): Promise<Reading>;
}

export type TileRequest = Parameters<TileReader['read']>[0];

/** Port: what many tiles show, each over its window, by as few queries as possible. */
export interface TilesReader {
  /**
   * One promise per request, in their order: each gets what `TileReader.read` would answer it. A source that hangs, or
   * a tile that can't be read, holds up no other.
   */
  readTiles(requests: readonly TileRequest[]): readonly Promise<Reading>[];
}

/** What a tile showed over many windows of one length. */
export interface WindowReadings {
  /** Of the window that starts then: what `TileReader.read` answers for it alone. */
  of(windowStartMs: number): Reading;
  grouped: boolean;
  /** Groups beyond the cap were cut off in some of the windows. */
  truncated: boolean;
  rowsRead: number;
  elapsedMs: number;
  /** What deserves a look, by its path in the tile or search. */
  warnings: readonly ReadingWarning[];
}

export interface ReadingWarning {
  path: string;
  message: string;
}

/** Port: what a tile showed over a past range, by one query (decisions A6). */
export interface TileWindowsReader {
  /** The range is a whole number of windows. Rejects with what a chart of the tile would be answered. */
  readWindows(request: {
    tenantId: string;
    watched: Watched;
    range: TimeRange;
    intervalMs: number;
    signal: AbortSignal;
  }): Promise<WindowReadings>;
}

export interface PreviewedWindow extends TimeRange {
  value: number | null;
  status: AlertStatus;
}

/** One group's time of firing; times are ends of windows. */
export interface Firing {
  group: readonly GroupPart[];
  /** The value that started it. */
  value: number | null;
  startedMs: number;
  /** Absent while it still fires at the end of the range. */
  endedMs?: number;
}

export interface PreviewedRule {
  windows: readonly PreviewedWindow[];
  /** Ordered by start. */
  firings: readonly Firing[];
  /** One per event and channel. */
  notifications: number;
  grouped: boolean;
}

export type PreviewOutcome =
  | {
      kind: 'previewed';
      /** In the order of the alerts. */
      rules: readonly PreviewedRule[];
      rowsRead: number;
      elapsedMs: number;
      truncated: boolean;
      warnings: readonly ReadingWarning[];
    }
  | { kind: 'tooManyWindows'; count: number };

/** Port: what alerts would have done over a past range. Nothing is stored and no notification is sent. */
export interface RulePreviewer {
  /** Rejects as `TileWindowsReader` does. */
  preview(request: {
    tenantId: string;
    alerts: readonly Alert[];
    range: TimeRange;
    windowsMax: number;
    signal: AbortSignal;
  }): Promise<PreviewOutcome>;
}

/** Absent names are unnamed or gone. */
export interface WatchedNames {
  dashboard?: string;
  tile?: string;
  savedSearch?: string;
  source?: { id: string; name?: string };
  /** Which series is evaluated, in words; absent when there is one. */
  series?: string;
}

/** Port: what people call what is watched. */
export interface TileNames {
  find(tenantId: string, watched: Watched): Promise<WatchedNames>;
}

/** Port: webhooks that the text of a message names beside the alert's channels (contract §3.6). */
export interface Mentions {
  /** In the order of the notifications: ids of this tenant's webhooks, and names that mean none. */
  find(tenantId: string, notifications: readonly Notification[]): Promise<readonly Mentioned[]>;
}

/** Port: some of the events that a saved search found, newest first, a line for people each. */
export interface SampleEvents {
  /** Extra: empty when they can't be had soon. Never rejects. */
  find(request: {
    tenantId: string;
    savedSearchId: string;
    group: readonly GroupPart[];
    window: TimeRange;
  }): Promise<readonly string[]>;
}

export interface Mentioned {
  webhookIds: readonly string[];
  unknown: readonly string[];
}

/** Why a channel is notified: a group started to fire, still fires (`repeatInterval`), or has ended. */
export type NotificationReason = 'firing' | 'repeat' | 'resolved';

/** Everything a message needs, as it was when the window was evaluated: what is sent never depends on later edits. */
export interface Notification {
  reason: NotificationReason;
  alert: {
    id: string;
    name?: string;
    message?: string;
    note?: string;
    threshold: number;
    thresholdMax?: number;
    recoveryThreshold?: number;
    thresholdType: ThresholdType;
    interval: string;
    groupBy?: string;
    numConsecutiveWindows?: number;
  };
  /** What is watched: a tile of a dashboard, or a saved search. */
  dashboard?: { id: string; name?: string };
  tile?: { id: string; name?: string };
  savedSearch?: { id: string; name?: string };
  /** Where its data comes from. */
  source?: { id: string; name?: string };
  /** Which of the tile's series is evaluated, in words; absent when there is one. */
  series?: string;
  group: readonly GroupPart[];
  /** The evaluated value; null when the group had no data in this window. */
  value: number | null;
  window: TimeRange;
  /** Some of the events that a saved search found, a line each. */
  sampleEvents?: readonly string[];
  /** End of the window in which this group started to fire, Unix ms. */
  firingSinceMs?: number;
  /** The evaluation as a span, which the deliveries are parts of; absent when the program does not report about itself. */
  traceparent?: string;
}

/** Why a notification is suppressed: a silence, or someone has acknowledged what fires. */
export type MuteReason = 'silenced' | 'acknowledged';

/** Asked before a message says that a group fires, or still fires. */
export type MuteCheck = (group: readonly GroupPart[], firingSinceMs: number) => MuteReason | undefined;

/** Port: what suppresses the notifications of an alert. */
export interface Muting {
  /** What is silenced at any of these instants is silenced. */
  of(tenantId: string, alert: Alert, instantsMs: readonly number[]): Promise<MuteCheck>;
}

export type Severity = 'critical' | 'error' | 'warning' | 'info';

/** One message to one webhook, written in the transaction that changed the state (decisions A8). */
export interface OutgoingNotification {
  /** The same for the same alert, group, window, reason and webhook: a second write of it is not a second message. */
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
