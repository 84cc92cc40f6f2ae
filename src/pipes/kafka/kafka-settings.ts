import type { PipeInput } from '../../contract/pipe-input.ts';
import type { Problem } from '../../contract/problem.ts';
import { type RegistrySettings, registryOf, registryProblems } from '../records/registry-settings.ts';
import { type BrokerAddress, type BrokerProtocol, parseBrokers } from './broker-list.ts';

type KafkaInput = NonNullable<NonNullable<PipeInput['source']>['kafka']>;

export interface SaslSettings {
  mechanism: 'PLAIN' | 'SCRAM-SHA-256' | 'SCRAM-SHA-512';
  username: string;
  password: string;
}

export interface TlsSettings {
  ca?: string;
  certificate?: string;
  privateKey?: string;
}

/** Where a partition begins of which neither the ledger nor the consumer group knows a position. */
export type StartPosition = 'earliest' | 'latest' | { timestampMs: number };

/** A Kafka source that can be read, with its secrets. */
export interface KafkaSettings {
  brokers: readonly BrokerAddress[];
  topics: readonly string[];
  groupId: string;
  start: StartPosition;
  format: 'JSONEachRow' | 'Avro';
  sasl?: SaslSettings;
  tls?: TlsSettings;
  registry?: RegistrySettings;
  readCommitted: boolean;
  /** How long records wait for more of them before they are written. */
  waitMs: number;
}

const topicsMax = 200;
const topicPattern = /^[\w.-]{1,249}$/;
const usualWaitMs = 5_000;
const authentications = 'PLAIN, SCRAM-SHA-256, SCRAM-SHA-512 and MUTUAL_TLS can be used';
const settingsOfObjects = [
  'object_storage_polling_interval_ms',
  'object_storage_max_file_count',
  'object_storage_use_cluster_function',
] as const;
/** Vendors whose brokers speak TLS only. */
const tlsVendors = new Set<string | undefined>(['confluent', 'azureeventhub', 'gcmk', 'warpstream', 'msk', 'dokafka']);

/** What of the source cannot be run here. */
export function kafkaProblems({ source, settings = {} }: PipeInput): Problem[] {
  const kafka = source?.kafka;
  if (!kafka) return [];
  const brokers = parseBrokers(kafka.brokers ?? '');
  return [
    ...(typeof brokers === 'string' ? [problem('brokers', brokers)] : protocolProblems(kafka, brokers.protocol)),
    ...topicProblems(kafka),
    ...unsupportedProblems(kafka, settings),
    ...credentialProblems(kafka),
    ...registryProblems('source.kafka', kafka),
  ];
}

/** Of a source without problems. */
export function kafkaSettings(pipe: PipeInput & { id: string }): KafkaSettings {
  const { source: { kafka = {} } = {}, settings = {} } = pipe;
  const list = parseBrokers(kafka.brokers ?? '');
  const { brokers, protocol } = typeof list === 'string' ? { brokers: [] } : list;
  const sasl = saslOf(kafka);
  const registry = registryOf(kafka);
  return {
    brokers,
    topics: topicsOf(kafka),
    groupId: kafka.consumerGroup || `clickpipes-${pipe.id}`,
    start: startOf(kafka.offset),
    format: kafka.format === 'Avro' || kafka.format === 'AvroConfluent' ? 'Avro' : 'JSONEachRow',
    ...(sasl && { sasl }),
    ...(usesTls(kafka, protocol) && { tls: tlsOf(kafka) }),
    ...(registry && { registry }),
    readCommitted: settings.kafka_read_committed ?? true,
    waitMs: settings.streaming_max_insert_wait_ms ?? usualWaitMs,
  };
}

function problem(field: string, message: string): Problem {
  return { path: `source.kafka.${field}`, message };
}

function topicsOf({ topics = '' }: KafkaInput): string[] {
  const names = topics
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  return [...new Set(names)];
}

function topicProblems(kafka: KafkaInput): Problem[] {
  const topics = topicsOf(kafka);
  if (topics.length === 0) return [problem('topics', 'must name at least one topic')];
  if (topics.length > topicsMax) return [problem('topics', `must name at most ${topicsMax} topics`)];
  if (topics.every((name) => topicPattern.test(name))) return [];
  return [problem('topics', 'must be a list of names with letters, digits, dots, underscores and hyphens')];
}

function unsupportedProblems(kafka: KafkaInput, settings: NonNullable<PipeInput['settings']>): Problem[] {
  const { format, iamRole, authentication, tombstoneMode, reversePrivateEndpointIds = [] } = kafka;
  const problems: Problem[] = [];
  if (format === 'Protobuf') {
    problems.push(
      problem('format', 'Protobuf cannot be read by this version; JSONEachRow, Avro and AvroConfluent can'),
    );
  }
  if (authentication?.startsWith('IAM') || authentication?.startsWith('SERVICE_ACCOUNT')) {
    problems.push(problem('authentication', `${authentication} is not supported here; ${authentications}`));
  } else if (iamRole) {
    problems.push(problem('iamRole', `roles of a cloud are not supported here; ${authentications}`));
  }
  if (tombstoneMode) {
    problems.push(problem('tombstoneMode', 'is not supported: records without a value are skipped; omit the field'));
  }
  if (reversePrivateEndpointIds.length > 0) {
    const message = 'private endpoints of a cloud are not supported here; name brokers that this program can reach';
    problems.push(problem('reversePrivateEndpointIds', message));
  }
  for (const name of settingsOfObjects) {
    if (settings[name] !== undefined)
      problems.push({ path: `settings.${name}`, message: 'applies to object storage only; omit it' });
  }
  return problems;
}

function protocolProblems(kafka: KafkaInput, protocol: BrokerProtocol | undefined): Problem[] {
  if (protocol === undefined) return [];
  const isSasl = protocol.startsWith('SASL_');
  const wantsSasl = kafka.authentication === 'PLAIN' || kafka.authentication?.startsWith('SCRAM') === true;
  if (isSasl && !wantsSasl) return [problem('brokers', `${protocol}:// needs the authentication PLAIN or SCRAM`)];
  if (!isSasl && wantsSasl)
    return [problem('brokers', `${kafka.authentication} needs SASL_SSL:// or SASL_PLAINTEXT://`)];
  const needsTls = kafka.caCertificate || kafka.authentication === 'MUTUAL_TLS';
  if (!protocol.endsWith('SSL') && needsTls) return [problem('brokers', `certificates need SSL, not ${protocol}://`)];
  return [];
}

/** Passwords go over TLS unless the address says otherwise. */
function usesTls(kafka: KafkaInput, protocol: BrokerProtocol | undefined): boolean {
  if (protocol !== undefined) return protocol.endsWith('SSL');
  return kafka.authentication !== undefined || Boolean(kafka.caCertificate) || tlsVendors.has(kafka.type);
}

function credentialProblems(kafka: KafkaInput): Problem[] {
  const { authentication, credentials = {} } = kafka;
  if (authentication === 'PLAIN' || authentication?.startsWith('SCRAM')) {
    if (saslOf(kafka)) return [];
    return [problem('credentials', `must have username and password for ${authentication}`)];
  }
  if (authentication === 'MUTUAL_TLS') {
    if (credentials.certificate && credentials.privateKey) return [];
    return [problem('credentials', 'must have certificate and privateKey for MUTUAL_TLS')];
  }
  if (authentication === undefined && kafka.credentials) {
    return [problem('authentication', `is required with credentials; ${authentications}`)];
  }
  return [];
}

function saslOf({ authentication, credentials = {} }: KafkaInput): SaslSettings | undefined {
  if (authentication !== 'PLAIN' && authentication !== 'SCRAM-SHA-256' && authentication !== 'SCRAM-SHA-512') {
    return undefined;
  }
  const { username, password, connectionString } = credentials;
  // Event Hubs take their connection string as the password of a user of this name.
  if (connectionString) return { mechanism: authentication, username: '$ConnectionString', password: connectionString };
  return username && password ? { mechanism: authentication, username, password } : undefined;
}

function tlsOf({ authentication, caCertificate, credentials = {} }: KafkaInput): TlsSettings {
  const { certificate, privateKey } = credentials;
  const isMutual = authentication === 'MUTUAL_TLS' && certificate && privateKey;
  return { ...(caCertificate && { ca: caCertificate }), ...(isMutual && { certificate, privateKey }) };
}

/** As written, the timestamp has no seconds and is in UTC (seed §Pipe source.kafka). */
function startOf({ strategy, timestamp }: NonNullable<KafkaInput['offset']> = {}): StartPosition {
  if (strategy === 'from_beginning') return 'earliest';
  if (strategy === 'from_latest') return 'latest';
  return timestamp === undefined ? 'earliest' : { timestampMs: Date.parse(`${timestamp}:00.000Z`) };
}
