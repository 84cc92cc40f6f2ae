import { type Static, Type } from 'typebox';
import { limits } from './limits.ts';
import { rejectedKey, rejectionKeyword } from './rejected-key.ts';

export const thresholdTypes = [
  'above',
  'below',
  'above_exclusive',
  'below_or_equal',
  'equal',
  'not_equal',
  'between',
  'not_between',
] as const;
export const alertSources = ['tile', 'saved_search'] as const;
export const missingDataPolicies = ['zero', 'noData', 'keep', 'ok', 'alert'] as const;
export const alertStates = ['OK', 'PENDING', 'ALERT', 'INSUFFICIENT_DATA', 'DISABLED'] as const;
export const executionErrorTypes = [
  'QUERY_ERROR',
  'QUERY_TIMEOUT',
  'WEBHOOK_ERROR',
  'INVALID_ALERT',
  'UNKNOWN',
] as const;

const literals = <T extends string>(values: readonly T[], description: string) =>
  Type.Unsafe<T>({ type: 'string', enum: [...values], description });

/** `null` means the same as absent; one type list gives a clearer message than a union of two schemas. */
const nullableText = (maxLength: number, description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], minLength: 1, maxLength, description });
const nullableInteger = (minimum: number, maximum: number, description: string) =>
  Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum, maximum, description });

/** Where notifications of an alert go. Keys beside `type` and `webhookId` are kept for clients that send them. */
export const AlertChannelSchema = Type.Object(
  {
    type: Type.Literal('webhook'),
    webhookId: Type.String({ maxLength: 64, description: 'Id of a webhook of this tenant.' }),
    webhookService: Type.Optional(Type.String({ maxLength: 64 })),
    slackChannelId: Type.Optional(Type.String({ maxLength: 256 })),
    severity: Type.Optional(literals(['critical', 'error', 'warning', 'info'], 'Shown by some receivers.')),
    emailRecipients: rejectedKey('is for channels of type email, which are not supported; use a webhook'),
  },
  { description: 'Notification channel.' },
);

const durationPattern = '^[1-9][0-9]{0,4}[mhd]$';

/**
 * Body of create and update; both need the whole rule (decisions A1, A3). Source is a tile (`dashboardId`,
 * `tileId`) or a saved search (`savedSearchId`).
 */
export const AlertInputSchema = Type.Object({
  dashboardId: Type.Optional(nullableText(64, 'Dashboard that contains the tile; required for source tile.')),
  tileId: Type.Optional(
    nullableText(
      256,
      'Tile the alert watches; required for source tile. Its last formula is evaluated, otherwise its ratio, otherwise its last series.',
    ),
  ),
  savedSearchId: Type.Optional(
    nullableText(64, 'Saved search whose events are counted; required for source saved_search.'),
  ),
  groupBy: Type.Optional(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      maxLength: 1024,
      description:
        'Comma-separated columns or attributes; each of their values is evaluated separately. For source saved_search.',
    }),
  ),
  threshold: Type.Number({ description: 'Lower bound for the two range types.' }),
  thresholdMax: Type.Optional(
    Type.Unsafe<number | null>({ type: ['number', 'null'], description: 'Upper bound of between and not_between.' }),
  ),
  recoveryThreshold: Type.Optional(
    Type.Unsafe<number | null>({
      type: ['number', 'null'],
      description:
        'Extension: a firing alert resolves only when the value also passes this one. At most the threshold for above and above_exclusive, at least the threshold for below and below_or_equal.',
    }),
  ),
  thresholdType: literals(thresholdTypes, 'above is ≥, above_exclusive is >, below is <, below_or_equal is ≤.'),
  interval: Type.String({
    pattern: durationPattern,
    description: 'Evaluation window: <n>m, <n>h or <n>d, at most 7d.',
    examples: ['1m', '5m', '1h', '1d'],
  }),
  source: Type.Optional(literals(alertSources, 'What the alert watches; by default derived from the ids.')),
  channel: Type.Optional(AlertChannelSchema),
  channels: Type.Optional(Type.Array(AlertChannelSchema, { minItems: 1, maxItems: 10 })),
  name: Type.Optional(nullableText(512, 'Alert name; a template.')),
  message: Type.Optional(nullableText(4096, 'Text of the alert message; a template.')),
  note: Type.Optional(nullableText(4096, 'Note, Markdown.')),
  displayName: Type.Optional(nullableText(512, 'A label for lists; messages use `name`.')),
  tags: Type.Optional(
    Type.Array(Type.String({ maxLength: limits.tagLength }), { maxItems: limits.tags, description: 'Labels.' }),
  ),
  detectionMode: Type.Optional(
    Type.Unsafe<'threshold' | null>({
      enum: ['threshold', null],
      description: 'Alerts compare values with a threshold; other ways of detection are rejected.',
      [rejectionKeyword]: 'must be threshold; no other way of detection is supported',
    }),
  ),
  chartConfig: rejectedKey('is not supported; put the chart on a dashboard and watch its tile (dashboardId, tileId)'),
  numConsecutiveWindows: Type.Optional(
    nullableInteger(1, 10_000, 'The alert stays PENDING until this many consecutive windows have breached.'),
  ),
  scheduleOffsetMinutes: Type.Optional(
    nullableInteger(0, 1439, 'Shifts the window boundaries; must be less than the interval.'),
  ),
  scheduleStartAt: Type.Optional(
    nullableText(40, 'Instant (ISO 8601 UTC, ending in Z) from which windows are counted.'),
  ),
  missingData: Type.Optional(
    literals(
      missingDataPolicies,
      'How a window without data is treated (extension); the default depends on the aggregation.',
    ),
  ),
  repeatInterval: Type.Optional(
    Type.String({
      pattern: durationPattern,
      description: 'Interval between repeated notifications while the alert fires (extension).',
    }),
  ),
  enabled: Type.Optional(
    Type.Boolean({
      description: 'If false, the alert is not evaluated and its state is DISABLED (extension). Default: true.',
    }),
  ),
});
export type AlertInput = Static<typeof AlertInputSchema>;
export type AlertChannel = Static<typeof AlertChannelSchema>;

export const ExecutionErrorSchema = Type.Object({
  timestamp: Type.String({ format: 'date-time' }),
  type: literals(executionErrorTypes, 'Kind of failure.'),
  message: Type.String(),
});

const Comment = Type.String({ maxLength: 1024, description: 'Why, for people.' });
const By = Type.String({ description: 'Id of the user, or of the key if it belongs to no user.' });

/** An alert that sends nothing until then (contract §3.3). */
export const AlertSilencedSchema = Type.Object({
  by: By,
  at: Type.String({ format: 'date-time' }),
  until: Type.String({ format: 'date-time' }),
  comment: Type.Optional(Comment),
});
export type AlertSilenced = Static<typeof AlertSilencedSchema>;

/** Someone is working on the firing alert: its notifications are not repeated. */
export const AlertAcknowledgedSchema = Type.Object({
  by: By,
  at: Type.String({ format: 'date-time' }),
  comment: Type.Optional(Comment),
});
export type AlertAcknowledged = Static<typeof AlertAcknowledgedSchema>;

export const SilenceAlertBodySchema = Type.Object({
  until: Type.String({ maxLength: 40, description: 'ISO 8601 with time zone, in the future.' }),
  comment: Type.Optional(Comment),
});
export const AcknowledgeAlertBodySchema = Type.Object({ comment: Type.Optional(Comment) });

/** The record as the service returns it (contract §3.2; decisions A4). */
export const AlertSchema = Type.Object({
  id: Type.String(),
  teamId: Type.String({ description: 'The tenant: team (self-hosted) or service (managed).' }),
  dashboardId: Type.Optional(Type.String()),
  tileId: Type.Optional(Type.String()),
  savedSearchId: Type.Optional(Type.String()),
  groupBy: Type.Optional(Type.String()),
  source: literals(alertSources, 'What the alert watches.'),
  state: literals(alertStates, 'State after the last evaluated window.'),
  firingSince: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'While the alert fires: end of the first window of the group that has fired longest (extension).',
    }),
  ),
  threshold: Type.Number(),
  thresholdMax: Type.Optional(Type.Number()),
  recoveryThreshold: Type.Optional(Type.Number()),
  thresholdType: literals(thresholdTypes, 'Comparison.'),
  interval: Type.String(),
  channel: AlertChannelSchema,
  channels: Type.Array(AlertChannelSchema),
  name: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
  message: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
  note: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
  displayName: Type.Optional(Type.String()),
  tags: Type.Optional(Type.Array(Type.String())),
  detectionMode: Type.Optional(Type.Literal('threshold')),
  numConsecutiveWindows: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
  scheduleOffsetMinutes: Type.Optional(Type.Integer()),
  scheduleStartAt: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'] })),
  missingData: Type.Optional(literals(missingDataPolicies, 'How a window without data is treated.')),
  repeatInterval: Type.Optional(Type.String()),
  enabled: Type.Optional(Type.Boolean()),
  silenced: Type.Optional(AlertSilencedSchema),
  acknowledged: Type.Optional(AlertAcknowledgedSchema),
  executionErrors: Type.Optional(Type.Array(ExecutionErrorSchema)),
  createdAt: Type.String({ format: 'date-time' }),
  updatedAt: Type.String({ format: 'date-time' }),
});
export type AlertRecord = Static<typeof AlertSchema>;
