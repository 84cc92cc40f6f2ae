import type { TSchema } from 'typebox';
import type { KeyOwner } from '../../access/key-service.ts';
import type { Principal } from '../../access/principal.ts';
import { AppError } from '../../contract/errors.ts';
import {
  CloudKeyInputSchema,
  CloudKeySchema,
  IngestionKeyInputSchema,
  KeyInputSchema,
  KeySchema,
  NewCloudKeySchema,
  NewKeySchema,
} from '../../contract/key.ts';
import type { FlavourName, Operation } from '../../http/operation.ts';

/** One kind of keys as the API shows it: the same five operations at another place and for another owner. */
export interface KeyKindRoutes {
  /** In operation ids: `listPersonalKeys`. */
  word: string;
  /** In summaries. */
  name: string;
  path: string;
  place?: NonNullable<Operation['place']>;
  flavours: readonly FlavourName[];
  input: TSchema;
  key: TSchema;
  newKey: TSchema;
  /** Whose keys a caller means. @throws {AppError} when the caller can have none */
  ownerOf: (principal: Principal) => KeyOwner;
}

export const personalKeys: KeyKindRoutes = {
  word: 'PersonalKey',
  name: 'personal API access key',
  path: '/keys',
  flavours: ['selfHosted'],
  input: KeyInputSchema,
  key: KeySchema,
  newKey: NewKeySchema,
  ownerOf: ({ tenantId, userId }) => {
    if (userId === undefined) throw new AppError('forbidden', { public: 'This caller is not a person.' });
    return { kind: 'personal', tenantId, userId };
  },
};

export const ingestionKeys: KeyKindRoutes = {
  word: 'IngestionKey',
  name: 'ingestion key',
  path: '/ingestion-keys',
  place: 'service',
  flavours: ['selfHosted', 'managed'],
  input: IngestionKeyInputSchema,
  key: KeySchema,
  newKey: NewKeySchema,
  ownerOf: ({ tenantId }) => ({ kind: 'ingestion', tenantId }),
};

export const cloudKeys: KeyKindRoutes = {
  word: 'CloudKey',
  name: 'cloud API key',
  path: '/organizations/:organizationId/api-keys',
  place: 'root',
  flavours: ['managed'],
  input: CloudKeyInputSchema,
  key: CloudKeySchema,
  newKey: NewCloudKeySchema,
  ownerOf: ({ organizationId, serviceIds }) => {
    // Else a key of some services could make itself one of all.
    if (serviceIds) throw new AppError('whole_organization_needed');
    if (organizationId === undefined) throw new AppError('forbidden');
    return { kind: 'cloud', organizationId };
  },
};

/** Where the managed flavour serves the kind, as operations say it. */
export function placed({ place }: KeyKindRoutes): Pick<Operation, 'place'> {
  return place === undefined ? {} : { place };
}
