import type { PipeInput } from '../../contract/pipe-input.ts';
import type { Problem } from '../../contract/problem.ts';
import { type RegistrySettings, registryOf, registryProblems } from '../records/registry-settings.ts';

type KinesisInput = NonNullable<NonNullable<PipeInput['source']>['kinesis']>;

/** Where a stream begins that is read for the first time; `now` is fixed when that happens. */
export type StreamStart = { kind: 'oldest' } | { kind: 'now' } | { kind: 'time'; ms: number };

/** A Kinesis source that can be read, with its secrets. */
export interface KinesisSettings {
  region: string;
  streamName: string;
  accessKey: { id: string; secret: string };
  start: StreamStart;
  format: 'JSONEachRow' | 'Avro';
  registry?: RegistrySettings;
  /** How long records wait for more of them before they are written. */
  waitMs: number;
}

const usualWaitMs = 5_000;
const regionPattern = /^[a-z]{2,4}-[a-z-]{2,20}-\d{1,2}$/;
const streamPattern = /^[\w.-]{1,128}$/;
const noRoles = 'cloud roles cannot be assumed by this program; use authentication IAM_USER with accessKey';
const foreignSettings = [
  'object_storage_polling_interval_ms',
  'object_storage_max_file_count',
  'object_storage_use_cluster_function',
  'kafka_read_committed',
] as const;

/** What of the source cannot be run here. */
export function kinesisProblems({ source, settings = {} }: PipeInput): Problem[] {
  const kinesis = source?.kinesis;
  if (!kinesis) return [];
  return [
    ...placeProblems(kinesis),
    ...accessProblems(kinesis),
    ...readingProblems(kinesis),
    ...registryProblems('source.kinesis', kinesis),
    ...foreignSettings
      .filter((name) => settings[name] !== undefined)
      .map((name) => ({ path: `settings.${name}`, message: 'is not a setting of kinesis sources; omit it' })),
  ];
}

/** Of a source without problems. */
export function kinesisSettings({ source: { kinesis = {} } = {}, settings = {} }: PipeInput): KinesisSettings {
  const registry = registryOf(kinesis);
  return {
    region: kinesis.region ?? '',
    streamName: kinesis.streamName ?? '',
    accessKey: { id: kinesis.accessKey?.accessKeyId ?? '', secret: kinesis.accessKey?.secretKey ?? '' },
    start: startOf(kinesis),
    format: kinesis.format === 'Avro' || kinesis.format === 'AvroConfluent' ? 'Avro' : 'JSONEachRow',
    ...(registry && { registry }),
    waitMs: settings.streaming_max_insert_wait_ms ?? usualWaitMs,
  };
}

function problem(field: string, message: string): Problem {
  return { path: `source.kinesis.${field}`, message };
}

function placeProblems({ region = '', streamName = '' }: KinesisInput): Problem[] {
  return [
    ...(regionPattern.test(region) ? [] : [problem('region', 'must be an AWS region, such as eu-central-1')]),
    ...(streamPattern.test(streamName)
      ? []
      : [problem('streamName', 'must be the name of a stream: letters, digits, dots, underscores and hyphens')]),
  ];
}

function accessProblems({ authentication, accessKey, credentials, iamRole }: KinesisInput): Problem[] {
  if (authentication === 'IAM_ROLE') return [problem('authentication', noRoles)];
  if (iamRole) return [problem('iamRole', noRoles)];
  return [
    ...(authentication === undefined ? [problem('authentication', 'must be IAM_USER')] : []),
    ...(accessKey?.accessKeyId && accessKey.secretKey
      ? []
      : [problem('accessKey', 'must have accessKeyId and secretKey')]),
    ...(credentials === undefined ? [] : [problem('credentials', 'is not used here; use accessKey')]),
  ];
}

function readingProblems({ format, useEnhancedFanOut, iteratorType, timestamp }: KinesisInput): Problem[] {
  const problems: Problem[] = [];
  if (format === 'Protobuf') {
    const message = 'Protobuf cannot be read by this version; JSONEachRow, Avro and AvroConfluent can';
    problems.push(problem('format', message));
  }
  if (useEnhancedFanOut) {
    const message =
      'enhanced fan-out is not supported: shards are polled, and share 2 MB per second with other consumers; set it to false or omit it';
    problems.push(problem('useEnhancedFanOut', message));
  }
  if (timestamp !== undefined && iteratorType !== undefined && iteratorType !== 'AT_TIMESTAMP') {
    problems.push(problem('timestamp', `has no meaning with iteratorType ${iteratorType}; omit it`));
  }
  return problems;
}

/** The timestamp is in whole seconds (seed §Pipe source.kinesis). */
function startOf({ iteratorType, timestamp }: KinesisInput): StreamStart {
  if (iteratorType === 'LATEST') return { kind: 'now' };
  return timestamp === undefined ? { kind: 'oldest' } : { kind: 'time', ms: timestamp * 1000 };
}
