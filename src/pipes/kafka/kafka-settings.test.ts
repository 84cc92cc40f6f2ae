import { describe, expect, it } from 'vitest';
import type { PipeInput } from '../../contract/pipe-input.ts';
import { kafkaProblems, kafkaSettings } from './kafka-settings.ts';

type Kafka = NonNullable<NonNullable<PipeInput['source']>['kafka']>;

const id = '11111111-2222-4333-8444-555555555555';
const user = { username: 'ada', password: 'top-secret' };
const pipe = (kafka: Kafka) => ({ id, name: 'p', source: { kafka: { brokers: 'a:1', topics: 't', ...kafka } } });
const settings = (kafka: Kafka) => kafkaSettings(pipe(kafka));

describe('settings that cannot be run', () => {
  it.each<[string, Kafka, string, RegExp]>([
    ['no broker', { brokers: ' , ' }, 'brokers', /at least one broker/],
    ['a broker that is none', { brokers: 'a:1,b:99999' }, 'brokers', /list like/],
    ['a URL as broker', { brokers: 'https://a/b' }, 'brokers', /list like/],
    ['brokers of several protocols', { brokers: 'SSL://a,b' }, 'brokers', /same protocol/],
    ['no topic', { topics: '' }, 'topics', /at least one topic/],
    ['a pattern of topics', { topics: 'a*' }, 'topics', /list of names/],
    ['Protobuf', { format: 'Protobuf' }, 'format', /Protobuf cannot be read/],
    ['roles of a cloud', { authentication: 'IAM_ROLE', iamRole: 'x' }, 'authentication', /not supported here/],
    ['keys of a cloud', { authentication: 'IAM_USER' }, 'authentication', /not supported here/],
    ['a role beside another authentication', { iamRole: 'x' }, 'iamRole', /not supported here/],
    ['tombstones', { tombstoneMode: 'delete' }, 'tombstoneMode', /skipped/],
    ['private endpoints', { reversePrivateEndpointIds: ['x'] }, 'reversePrivateEndpointIds', /not supported/],
    ['PLAIN without a password', { authentication: 'PLAIN' }, 'credentials', /username and password/],
    ['SCRAM without a password', { authentication: 'SCRAM-SHA-256' }, 'credentials', /username and password/],
    ['mutual TLS without a key', { authentication: 'MUTUAL_TLS' }, 'credentials', /privateKey/],
    ['credentials without authentication', { credentials: user }, 'authentication', /is required/],
    ['SASL without authentication', { brokers: 'SASL_SSL://a' }, 'brokers', /needs the authentication/],
    [
      'a password where the address says none',
      { brokers: 'SSL://a', authentication: 'PLAIN', credentials: user },
      'brokers',
      /needs SASL_SSL/,
    ],
    ['a certificate without TLS', { brokers: 'PLAINTEXT://a', caCertificate: 'x' }, 'brokers', /certificates need SSL/],
    ['schemas from nowhere', { format: 'AvroConfluent' }, 'schemaRegistry', /is required/],
    ['a registry without URL', { schemaRegistry: {} }, 'schemaRegistry.url', /absolute/],
    [
      'a registry with a password in its URL',
      { schemaRegistry: { url: 'https://u:p@a' } },
      'schemaRegistry.url',
      /use credentials/,
    ],
    [
      'a registry with other authentication',
      { schemaRegistry: { url: 'https://a', authentication: 'X', credentials: user } },
      'schemaRegistry.authentication',
      /PLAIN/,
    ],
    [
      'a registry without password',
      { schemaRegistry: { url: 'https://a', authentication: 'PLAIN' } },
      'schemaRegistry.credentials',
      /username/,
    ],
  ])('%s', (_, kafka, field, message) => {
    const problems = kafkaProblems(pipe(kafka));
    expect(problems).toEqual([{ path: `source.kafka.${field}`, message: expect.stringMatching(message) }]);
    expect(JSON.stringify(problems)).not.toContain('top-secret');
  });
});

describe('settings that can', () => {
  it.each<[string, Kafka, boolean]>([
    ['no authentication', {}, false],
    ['a password', { authentication: 'PLAIN', credentials: user }, true],
    [
      'a password and an address that says otherwise',
      { brokers: 'SASL_PLAINTEXT://a', authentication: 'PLAIN', credentials: user },
      false,
    ],
    ['a certificate of an authority', { caCertificate: 'x' }, true],
    ['SSL in the address', { brokers: 'SSL://a' }, true],
    ['a vendor without plain text', { type: 'azureeventhub' }, true],
  ])('%s: TLS or not', (_, kafka, isTls) => {
    expect(kafkaProblems(pipe(kafka))).toEqual([]);
    expect(settings(kafka).tls !== undefined).toBe(isTls);
  });

  it('addresses of every kind, topics once each', () => {
    const { brokers, topics } = settings({ brokers: 'a, b:19092,[::1]:7', topics: 'x, y,x' });
    expect(brokers).toEqual([
      { host: 'a', port: 9092 },
      { host: 'b', port: 19_092 },
      { host: '::1', port: 7 },
    ]);
    expect(topics).toEqual(['x', 'y']);
  });

  it('a connection string stands for a user and a password', () => {
    const { sasl } = settings({ authentication: 'PLAIN', credentials: { connectionString: 'Endpoint=…' } });
    expect(sasl).toEqual({ mechanism: 'PLAIN', username: '$ConnectionString', password: 'Endpoint=…' });
  });

  it('a certificate and its key', () => {
    const credentials = { certificate: 'c', privateKey: 'k' };
    const { tls, sasl } = settings({ authentication: 'MUTUAL_TLS', caCertificate: 'a', credentials });
    expect([tls, sasl]).toEqual([{ ca: 'a', certificate: 'c', privateKey: 'k' }, undefined]);
  });

  it('what is absent has defaults', () => {
    expect(settings({})).toEqual({
      brokers: [{ host: 'a', port: 1 }],
      topics: ['t'],
      groupId: `clickpipes-${id}`,
      start: 'earliest',
      format: 'JSONEachRow',
      readCommitted: true,
      waitMs: 5_000,
    });
  });
});
