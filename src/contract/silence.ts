import { type Static, Type } from 'typebox';
import { ReferenceIdSchema, TimestampSchema } from './identifiers.ts';
import { TimeZoneName } from './time-zone-name.ts';

/** Every limit on what a client may send about silences. */
export const silenceLimits = {
  nameLength: 512,
  commentLength: 1024,
  matches: 100,
  tagLength: 32,
  textLength: 1024,
} as const;

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

/** A misspelt key would silence more than was meant. */
const closed = { additionalProperties: false } as const;

const GroupMatchSchema = Type.Object(
  {
    key: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: silenceLimits.textLength,
        description: 'As in groupBy. Default: any.',
      }),
    ),
    value: Type.String({ maxLength: silenceLimits.textLength }),
  },
  closed,
);

const listed = { minItems: 1, maxItems: silenceLimits.matches };

export const SilenceMatchSchema = Type.Object(
  {
    alertIds: Type.Optional(Type.Array(ReferenceIdSchema, { ...listed, description: 'Any of these alerts.' })),
    tags: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: silenceLimits.tagLength }), {
        ...listed,
        description: 'Alerts whose dashboard or saved search has any of these tags.',
      }),
    ),
    groups: Type.Optional(Type.Array(GroupMatchSchema, { ...listed, description: 'Groups with any of these values.' })),
  },
  { ...closed, description: 'What is silenced: whatever matches every given list. Without lists: every alert.' },
);
export type SilenceMatch = Static<typeof SilenceMatchSchema>;

const WallTime = Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$', examples: ['22:00'] });

export const RecurrenceSchema = Type.Object(
  {
    days: Type.Array(Type.Enum(weekdays), { minItems: 1, maxItems: 7, description: 'Days on which it starts.' }),
    from: WallTime,
    to: Type.String({
      pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
      description: 'On the next day if it is not after `from`.',
      examples: ['06:00'],
    }),
    timezone: TimeZoneName('IANA name.'),
  },
  { ...closed, description: 'A maintenance window that recurs every week, in local time.' },
);
export type Recurrence = Static<typeof RecurrenceSchema>;

const Instant = (description: string) => Type.String({ maxLength: 40, description });

/** Body of create and of replace. */
export const SilenceInputSchema = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: silenceLimits.nameLength }),
    comment: Type.Optional(Type.String({ maxLength: silenceLimits.commentLength })),
    match: SilenceMatchSchema,
    startsAt: Type.Optional(Instant('ISO 8601 with time zone. Default: now.')),
    endsAt: Type.Optional(Instant('ISO 8601 with time zone; required without `recurrence`.')),
    recurrence: Type.Optional(RecurrenceSchema),
  },
  { title: 'SilenceInput' },
);
export type SilenceInput = Static<typeof SilenceInputSchema>;

export const SilenceSchema = Type.Object(
  {
    id: Type.String(),
    teamId: Type.String(),
    name: Type.String(),
    comment: Type.Optional(Type.String()),
    match: SilenceMatchSchema,
    startsAt: TimestampSchema,
    endsAt: Type.Optional(TimestampSchema),
    recurrence: Type.Optional(RecurrenceSchema),
    active: Type.Boolean({ description: 'Whether it is active now.' }),
    createdBy: Type.String({ description: 'Id of the user, or of the key if it belongs to no user.' }),
    createdAt: TimestampSchema,
    updatedAt: TimestampSchema,
  },
  { title: 'Silence' },
);
export type SilenceRecord = Static<typeof SilenceSchema>;
