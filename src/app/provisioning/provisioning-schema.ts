import { type Static, Type } from 'typebox';
import { passwordCharsMax, passwordCharsMin } from '../../access/passwords.ts';
import { WebhookInputSchema } from '../../contract/webhook.ts';

const closed = { additionalProperties: false } as const;

const Name = Type.String({ minLength: 1, maxLength: 256, pattern: '\\S' });
const Uuid = Type.String({ pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$' });
const Role = Type.Optional(Type.Enum(['admin', 'read'] as const));
/** Goes into a header as it is: visible ASCII. */
const Key = Type.String({ minLength: 8, maxLength: 512, pattern: '^[\\x21-\\x7e]+$' });
const CloudKeyId = Type.String({ minLength: 1, maxLength: 256, pattern: '^[\\x21-\\x39\\x3b-\\x7e]+$' });
const Moment = Type.Optional(
  Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}(:\\d{2}(\\.\\d+)?)?(Z|[+-]\\d{2}:\\d{2})$' }),
);

const PersonalKey = Type.Object({ name: Name, key: Key, role: Role, expiresAt: Moment }, closed);
const IngestionKey = Type.Object({ name: Name, key: Key, expiresAt: Moment }, closed);
const CloudKey = Type.Object(
  {
    name: Name,
    keyId: CloudKeyId,
    keySecret: Type.String({ minLength: 8, maxLength: 512 }),
    role: Role,
    /** Ids of the services that the key may reach; absent = all of its organization. */
    services: Type.Optional(Type.Array(Uuid)),
    expiresAt: Moment,
  },
  closed,
);

/** Validated by the rooms that own them; here they only need the name by which they are matched. */
const Named = Type.Object({ name: Name });
const resources = {
  ingestionKeys: Type.Optional(Type.Array(IngestionKey)),
  webhooks: Type.Optional(Type.Array(WebhookInputSchema)),
  sources: Type.Optional(Type.Array(Named)),
  dashboards: Type.Optional(Type.Array(Named)),
};

const User = Type.Object(
  {
    email: Type.String({ maxLength: 320, pattern: '^[^@\\s]+@[^@\\s]+$' }),
    name: Type.Optional(Name),
    password: Type.Optional(Type.String({ minLength: passwordCharsMin, maxLength: passwordCharsMax })),
    apiKeys: Type.Optional(Type.Array(PersonalKey)),
  },
  closed,
);

const Team = Type.Object({ name: Name, users: Type.Optional(Type.Array(User)), ...resources }, closed);
const Service = Type.Object(
  { id: Uuid, name: Name, ...resources, pipes: Type.Optional(Type.Array(Type.Object({ id: Uuid, name: Name }))) },
  closed,
);
const Organization = Type.Object(
  { id: Uuid, name: Name, apiKeys: Type.Optional(Type.Array(CloudKey)), services: Type.Optional(Type.Array(Service)) },
  closed,
);

export const ProvisioningSchema = Type.Object(
  { teams: Type.Optional(Type.Array(Team)), organizations: Type.Optional(Type.Array(Organization)) },
  closed,
);

/** The provisioning file (interface: provisioning file), with all secrets resolved. */
export type Provisioning = Static<typeof ProvisioningSchema>;
export type ProvisionedTeam = Static<typeof Team>;
export type ProvisionedUser = Static<typeof User>;
export type ProvisionedOrganization = Static<typeof Organization>;
export type ProvisionedService = Static<typeof Service>;
export type ProvisionedCloudKey = Static<typeof CloudKey>;
/** What teams and services have in common. */
export type ProvisionedResources = Pick<ProvisionedService, keyof typeof resources | 'pipes'>;
