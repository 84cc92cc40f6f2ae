import { type Static, Type } from 'typebox';
import { limits } from './limits.ts';

/** Characters of passwords; the upper bound limits the work of one log-in attempt. */
const PasswordSchema = Type.String({ minLength: limits.passwordLengthMin, maxLength: limits.passwordLength });
const GivenPasswordSchema = Type.String({ minLength: 1, maxLength: limits.passwordLength });

export const EmailSchema = Type.String({
  maxLength: limits.emailLength,
  pattern: '^[^@\\s]+@[^@\\s]+$',
  description: 'An email address; case-insensitive.',
});
export const PersonNameSchema = Type.String({ minLength: 1, maxLength: limits.personNameLength });

export const LogInSchema = Type.Object({ email: EmailSchema, password: GivenPasswordSchema }, { title: 'LogIn' });
export type LogIn = Static<typeof LogInSchema>;

export const SignUpSchema = Type.Object(
  {
    email: EmailSchema,
    password: PasswordSchema,
    name: Type.Optional(PersonNameSchema),
    invitation: Type.Optional(
      Type.String({ maxLength: 128, description: 'Token of an invitation link; needed once registration is closed.' }),
    ),
  },
  { title: 'SignUp' },
);
export type SignUp = Static<typeof SignUpSchema>;

export const PasswordChangeSchema = Type.Object(
  { currentPassword: GivenPasswordSchema, newPassword: PasswordSchema },
  { title: 'PasswordChange' },
);

const named = (title: string) => Type.Object({ id: Type.String(), name: Type.String() }, { title });

/** Who is logged in, and what a visitor may do here. */
export const SessionSchema = Type.Object(
  {
    user: Type.Union([
      Type.Object(
        { id: Type.String(), email: Type.String(), name: Type.Optional(Type.String()) },
        { title: 'SessionUser' },
      ),
      Type.Null(),
    ]),
    team: Type.Union([named('SessionTeam'), Type.Null()], { description: 'Self-hosted; null if not logged in.' }),
    organizations: Type.Array(named('SessionOrganization'), { description: 'Managed; empty if not logged in.' }),
    registration: Type.Union([Type.Literal('open'), Type.Literal('closed')]),
    flavour: Type.Union([Type.Literal('self-hosted'), Type.Literal('managed')]),
    version: Type.String(),
  },
  { title: 'Session' },
);
export type SessionView = Static<typeof SessionSchema>;

/** What the holder of an invitation link may know. */
export const InvitationViewSchema = Type.Object(
  { email: Type.String(), team: Type.Object({ name: Type.String() }) },
  { title: 'InvitationView' },
);
