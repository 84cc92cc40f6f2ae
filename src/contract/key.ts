import { type Static, Type } from 'typebox';
import { TimestampSchema, UuidSchema } from './identifiers.ts';
import { limits } from './limits.ts';
import { rejectedKey, rejectedKeys } from './rejected-key.ts';

const KeyNameSchema = Type.String({ minLength: 1, maxLength: limits.keyNameLength });
const MomentInputSchema = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,9})?)?(Z|[+-]\\d{2}:\\d{2})$',
  description: 'ISO 8601 with time zone, in the future.',
});
const RoleSchema = Type.Union([Type.Literal('admin'), Type.Literal('read')], {
  description: '`read` allows no changes.',
});
const orNull = Type.Union([TimestampSchema, Type.Null()]);
const expiry = Type.Union([MomentInputSchema, Type.Null()], { description: 'null or absent = never.' });

const keyFields = {
  id: Type.String(),
  name: Type.String(),
  prefix: Type.String({ description: 'First characters of the secret; empty if unknown.' }),
  role: RoleSchema,
  createdAt: TimestampSchema,
  expiresAt: orNull,
  lastUsedAt: orNull,
};

/** A personal or ingestion key as it is listed: never its secret. */
export const KeySchema = Type.Object(keyFields, { title: 'Key' });
export const NewKeySchema = Type.Object(
  { ...keyFields, key: Type.String({ description: 'Shown only once.' }) },
  { title: 'NewKey' },
);

const cloudFields = {
  ...keyFields,
  keyId: Type.String({ description: 'User name of Basic authentication.' }),
  serviceIds: Type.Union([Type.Array(Type.String()), Type.Null()], { description: 'null = all services.' }),
};
export const CloudKeySchema = Type.Object(cloudFields, { title: 'CloudKey' });
export const NewCloudKeySchema = Type.Object(
  { ...cloudFields, keySecret: Type.String({ description: 'Shown only once.' }) },
  { title: 'NewCloudKey' },
);

const inputFields = { name: KeyNameSchema, expiresAt: Type.Optional(expiry) };
/** Fields of keys in other systems: clients that send them rely on their effect there. */
const fieldsElsewhere = {
  expireAt: rejectedKey('is not supported; use expiresAt'),
  ...rejectedKeys(['roles', 'assignedRoleIds'], 'is not supported; use role: admin or read'),
  ...rejectedKeys(['state', 'ipAccessList', 'hashData'], 'is not supported for keys'),
};

export const IngestionKeyInputSchema = Type.Object(
  { ...inputFields, ...fieldsElsewhere },
  { title: 'IngestionKeyInput' },
);
export const KeyInputSchema = Type.Object(
  { ...inputFields, role: Type.Optional(RoleSchema), ...fieldsElsewhere },
  { title: 'KeyInput' },
);
export const CloudKeyInputSchema = Type.Object(
  {
    ...inputFields,
    role: RoleSchema,
    serviceIds: Type.Optional(
      Type.Array(UuidSchema, { maxItems: 100, description: 'Services the key may access; absent = all.' }),
    ),
    ...fieldsElsewhere,
  },
  { title: 'CloudKeyInput' },
);

/** Everything that the making of any kind of key takes. */
export interface KeyInput {
  name: string;
  expiresAt?: string | null;
  role?: 'admin' | 'read';
  serviceIds?: readonly string[];
}

export const KeyUpdateSchema = Type.Object(
  { name: KeyNameSchema, expiresAt: Type.Optional(expiry), ...fieldsElsewhere },
  { title: 'KeyUpdate' },
);
export type KeyUpdate = Static<typeof KeyUpdateSchema>;

export const KeyRotationSchema = Type.Object(
  {
    overlapHours: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: limits.keyOverlapHours,
        description: 'How long the old key stays valid. Default: 0.',
      }),
    ),
  },
  { title: 'KeyRotation' },
);
