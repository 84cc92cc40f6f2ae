import { Type } from 'typebox';
import { TimestampSchema } from './identifiers.ts';
import { rejectedKey } from './rejected-key.ts';
import { EmailSchema, PersonNameSchema } from './session.ts';
import { TimeZoneName } from './time-zone-name.ts';

export const TeamSchema = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    timezone: TimeZoneName('The zone in which notifications write times, beside instants of UTC.'),
  },
  { title: 'Team' },
);

export const TeamInputSchema = Type.Object(
  {
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
    timezone: Type.Optional(TimeZoneName('IANA name of a time zone. Default: UTC.')),
  },
  { title: 'TeamInput', description: 'What is omitted stays as it is.' },
);

const name = Type.Union([Type.String(), Type.Null()]);

export const MemberSchema = Type.Object(
  {
    id: Type.String(),
    email: Type.String(),
    name,
    role: Type.Union([Type.Literal('owner'), Type.Literal('member')]),
    isCurrentUser: Type.Boolean(),
  },
  { title: 'Member' },
);

export const InvitationInputSchema = Type.Object(
  {
    email: EmailSchema,
    name: Type.Optional(PersonNameSchema),
    roleId: rejectedKey('is not supported; everyone who is invited becomes a member'),
  },
  { title: 'InvitationInput' },
);

const url = Type.String({ description: 'The link to send; anyone who has it can join.' });

export const NewInvitationSchema = Type.Object(
  { email: Type.String(), invitationId: Type.String(), status: Type.Literal('pending'), url },
  { title: 'NewInvitation' },
);

export const InvitationSchema = Type.Object(
  { id: Type.String(), createdAt: TimestampSchema, expiresAt: TimestampSchema, email: Type.String(), name, url },
  { title: 'Invitation' },
);

export const RemovedSchema = Type.Object({ success: Type.Boolean() }, { title: 'Removed' });

const days = Type.Integer({ minimum: 1 });

/** How long telemetry is kept (`SIGNALBOX_RETENTION_DAYS_…`). */
export const RetentionSchema = Type.Object(
  { logsDays: days, tracesDays: days, metricsDays: days },
  { title: 'Retention' },
);
