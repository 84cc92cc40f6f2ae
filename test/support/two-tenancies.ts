import { cloudCredential } from '../../src/access/key-secret.ts';

/** Ids of the organizations and services in `twoTenancies`. */
export const ids = {
  organization: '11111111-1111-4111-8111-111111111111',
  service: '22222222-2222-4222-8222-222222222222',
  /** Another service of the same organization. */
  sibling: '33333333-3333-4333-8333-333333333333',
  foreignOrganization: '44444444-4444-4444-8444-444444444444',
  foreignService: '55555555-5555-4555-8555-555555555555',
  pipe: '66666666-6666-4666-8666-666666666666',
  siblingPipe: '77777777-7777-4777-8777-777777777777',
} as const;

const personal = (name: string, more: object = {}) => ({ name, key: `personal-${name}-0123456789`, ...more });
const cloud = (name: string, more: object = {}) => ({
  name,
  keyId: `KEY-${name}`,
  keySecret: `cloud-${name}-0123456789`,
  ...more,
});
const past = '2001-01-01T00:00:00Z';

const keys = {
  personal: personal('admin'),
  personalRead: personal('read', { role: 'read' }),
  personalRevoked: personal('revoked'),
  personalExpired: personal('expired', { expiresAt: past }),
  personalOther: personal('other'),
  cloudAdmin: cloud('admin'),
  cloudRead: cloud('read', { role: 'read' }),
  cloudOtherService: cloud('other-service', { services: [ids.sibling] }),
  cloudRevoked: cloud('revoked'),
  cloudExpired: cloud('expired', { expiresAt: past }),
  cloudOtherOrganization: cloud('other-organization'),
} as const;

const ingestion = { name: 'default', key: 'ingestion-0123456789' };
const webhooks = [{ name: 'ops', service: 'generic', url: 'http://127.0.0.1:9/hook' }];
const { personalOther, cloudOtherOrganization } = keys;

const pipe = (id: string) => ({
  id,
  name: 'orders',
  state: 'Running',
  destination: { database: 'shop', table: 'orders' },
  source: { kafka: { brokers: 'kafka:9092', topics: 'orders' } },
});

/** Two teams, and two organizations of which one has two services: all pairs that must not see each other. */
export const twoTenancies = {
  teams: [
    {
      name: 'Own',
      users: [
        {
          email: 'ada@example.com',
          apiKeys: [keys.personal, keys.personalRead, keys.personalRevoked, keys.personalExpired],
        },
      ],
      ingestionKeys: [ingestion],
      webhooks,
    },
    { name: 'Foreign', users: [{ email: 'eve@example.com', apiKeys: [personalOther] }], webhooks },
  ],
  organizations: [
    {
      id: ids.organization,
      name: 'Own',
      apiKeys: [keys.cloudAdmin, keys.cloudRead, keys.cloudOtherService, keys.cloudRevoked, keys.cloudExpired],
      services: [
        { id: ids.service, name: 'production', webhooks, pipes: [pipe(ids.pipe)] },
        { id: ids.sibling, name: 'staging', webhooks, pipes: [pipe(ids.siblingPipe)] },
      ],
    },
    {
      id: ids.foreignOrganization,
      name: 'Foreign',
      apiKeys: [cloudOtherOrganization],
      services: [{ id: ids.foreignService, name: 'production', webhooks }],
    },
  ],
};

export const revokedCredentials = [
  keys.personalRevoked.key,
  cloudCredential(keys.cloudRevoked.keyId, keys.cloudRevoked.keySecret),
];

export const bearer = (key: string): string => `Bearer ${key}`;
export const basic = (keyId: string, secret: string): string =>
  `Basic ${Buffer.from(`${keyId}:${secret}`).toString('base64')}`;

const cloudHeader = ({ keyId, keySecret }: { keyId: string; keySecret: string }): string => basic(keyId, keySecret);

/** `Authorization` headers by kind of credential. */
export const credentials = {
  none: undefined,
  empty: '',
  'malformed: no scheme': keys.personal.key,
  'malformed: unknown scheme': `Digest ${keys.personal.key}`,
  'malformed: Basic without base64': 'Basic ???',
  'malformed: Basic without colon': `Basic ${Buffer.from(keys.cloudAdmin.keyId).toString('base64')}`,
  'unknown personal key': bearer('personal-unknown-0123456789'),
  'wrong cloud secret': basic(keys.cloudAdmin.keyId, 'cloud-wrong-0123456789'),
  'cloud secret of another key': basic(keys.cloudAdmin.keyId, keys.cloudRead.keySecret),
  personal: bearer(keys.personal.key),
  'personal as Basic': basic('ada@example.com', keys.personal.key),
  'personal, read only': bearer(keys.personalRead.key),
  'personal, revoked': bearer(keys.personalRevoked.key),
  'personal, expired': bearer(keys.personalExpired.key),
  'personal of another team': bearer(personalOther.key),
  ingestion: bearer(ingestion.key),
  'ingestion as Basic': basic('default', ingestion.key),
  'cloud admin': cloudHeader(keys.cloudAdmin),
  'cloud admin as Bearer': bearer(keys.cloudAdmin.keySecret),
  'cloud read': cloudHeader(keys.cloudRead),
  'cloud of another service': cloudHeader(keys.cloudOtherService),
  'cloud of another organization': cloudHeader(cloudOtherOrganization),
  'cloud, revoked': cloudHeader(keys.cloudRevoked),
  'cloud, expired': cloudHeader(keys.cloudExpired),
} as const satisfies Record<string, string | undefined>;

export type Credential = keyof typeof credentials;

/** Path of a resource in the managed flavour. */
export function managedPath(resource: string, organization: string = ids.organization, service: string = ids.service) {
  const word = resource.startsWith('/pipes') ? '' : '/stack';
  return `/v1/organizations/${organization}/services/${service}${word}${resource}`;
}

export const selfHostedPath = (resource: string): string => `/api/v2${resource}`;
