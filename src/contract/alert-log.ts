import { type Static, Type } from 'typebox';
import { alertStates, ExecutionErrorSchema } from './alert.ts';
import { TimestampSchema } from './identifiers.ts';
import { PageOffsetSchema } from './pagination.ts';

export const notificationReasons = ['firing', 'repeat', 'resolved'] as const;
/** Of an attempt: why its message was sent; `replay` if someone sent it again. */
export const deliveryReasons = [...notificationReasons, 'replay'] as const;
export const deliveryStates = ['queued', 'delivered', 'failing', 'given_up'] as const;
/**
 * What became of a group in a window. Of its notifications: `sent` = each channel has it, `queued` = one has not been
 * tried, `failing` = one is tried again, `given_up` = one never got it; otherwise why there is none. The order is that
 * in which the reason of a window is looked for among those of its groups.
 */
export const evaluationReasons = [
  'error',
  'given_up',
  'failing',
  'queued',
  'sent',
  'silenced',
  'acknowledged',
  'already_notified',
  'pending',
  'no_data',
  'not_breaching',
] as const;
export type EvaluationReason = (typeof evaluationReasons)[number];

export const GroupSchema = Type.Array(Type.Object({ key: Type.String(), value: Type.String() }), {
  description: 'Values of the tile’s groupBy; empty when it does not group.',
});
const ReasonSchema = Type.Enum(notificationReasons, { description: 'Why the channel is notified.' });
const DeliveryStateSchema = Type.Enum(deliveryStates, {
  description: 'State of the message: queued (not tried yet), delivered, failing (will be retried) or given_up.',
});
/** What the delivery log says of a message. */
export const deliveryFields = {
  state: DeliveryStateSchema,
  attempts: Type.Integer({ description: 'Attempts so far.' }),
  lastAttemptAt: Type.Optional(TimestampSchema),
  lastStatus: Type.Optional(Type.Integer({ description: 'HTTP status of the last response.' })),
  lastError: Type.Optional(Type.String({ description: 'Why the last attempt failed.' })),
};

/** One attempt to deliver one message, or a message that was not tried yet; neither addresses nor secrets are in it. */
export const AlertDeliverySchema = Type.Object(
  {
    id: Type.String({ description: 'Id of this attempt, for a replay.' }),
    messageId: Type.String({ description: 'The same for each attempt of one message.' }),
    at: TimestampSchema,
    durationMs: Type.Integer(),
    attempt: Type.Integer({ description: 'Starts at 1, also for a message that has not been tried yet.' }),
    webhookId: Type.String(),
    reason: Type.Optional(
      Type.Enum(deliveryReasons, {
        description: 'Why the channel is notified; replay: someone had the message sent again.',
      }),
    ),
    group: Type.Optional(GroupSchema),
    status: Type.Optional(Type.Integer({ description: 'HTTP status, if there was a response.' })),
    error: Type.Optional(Type.String({ description: 'Absent if this attempt succeeded.' })),
    notice: Type.Optional(
      Type.String({ description: 'What is wrong with a template; the default text was sent instead.' }),
    ),
    state: DeliveryStateSchema,
    nextAttemptAt: Type.Optional(TimestampSchema),
    replayable: Type.Boolean({
      description:
        'True if the message can be sent again: it is still stored, not being delivered, and its webhook exists.',
    }),
  },
  { title: 'AlertDelivery' },
);
export type AlertDeliveryRecord = Static<typeof AlertDeliverySchema>;

const StateSchema = Type.Enum(alertStates);

/** One evaluated window. */
export const AlertEvaluationSchema = Type.Object(
  {
    windowStart: TimestampSchema,
    windowEnd: TimestampSchema,
    evaluatedAt: TimestampSchema,
    durationMs: Type.Optional(Type.Integer({ description: 'Time it took to read the tile.' })),
    state: StateSchema,
    groups: Type.Array(
      Type.Object({
        group: GroupSchema,
        value: Type.Unsafe<number | null>({ type: ['number', 'null'], description: 'null = no data.' }),
        state: StateSchema,
        reason: Type.Enum(evaluationReasons, { description: 'State of the notification, or why there is none.' }),
      }),
    ),
    notifications: Type.Array(
      Type.Object({ webhookId: Type.String(), reason: ReasonSchema, group: GroupSchema, ...deliveryFields }),
    ),
    reason: Type.Enum(evaluationReasons, { description: 'The first of these that applies to any group.' }),
    skippedWindows: Type.Optional(
      Type.Integer({
        description:
          'Windows before this one that were skipped because there were too many to catch up on after a pause.',
      }),
    ),
    clockSetBackMs: Type.Optional(
      Type.Integer({
        description:
          'Approximately how far the clock was set back before this window. Evaluations from ahead of the present time were removed.',
      }),
    ),
    error: Type.Optional(ExecutionErrorSchema),
  },
  { title: 'AlertEvaluation' },
);
export type AlertEvaluationRecord = Static<typeof AlertEvaluationSchema>;

/** Windows are large when a tile has many groups: a page holds fewer of them than other lists. */
export const evaluationsPageSize = 100;
const Instant = (which: string) =>
  Type.Optional(
    Type.String({ maxLength: 64, description: `${which} Unix milliseconds, or an ISO 8601 date and time.` }),
  );
export const EvaluationsQuerySchema = Type.Object({
  startTime: Instant('Only windows that end after it.'),
  endTime: Instant('Only windows that have ended by then.'),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: evaluationsPageSize, description: `${evaluationsPageSize} when absent.` }),
  ),
  offset: PageOffsetSchema,
});
export type EvaluationsQuery = Static<typeof EvaluationsQuerySchema>;
