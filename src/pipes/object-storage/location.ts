import type { PipeInput } from '../../contract/pipe-input.ts';
import { type AzureAccount, readConnectionString } from './azure-account.ts';

export type ObjectStorageSettings = NonNullable<NonNullable<PipeInput['source']>['objectStorage']>;

/** Where the objects of a pipe are, by its URL and type. */
export type ObjectLocation =
  | { kind: 'http'; pattern: string }
  | { kind: 'file'; pattern: string }
  | { kind: 's3'; place: S3Place; pattern: string }
  | { kind: 'azure'; place: AzurePlace; pattern: string };

export interface AzurePlace {
  account: AzureAccount;
  container: string;
}

export interface S3Place {
  /** With the bucket, in its host or its path; without trailing slash. */
  bucketUrl: string;
  bucket: string;
  region: string;
}

const s3Types: ReadonlySet<string> = new Set(['s3', 'gcs', 'dospaces', 'cloudflarer2', 'ovhobjectstorage']);

const containerName = /^(?:\$root|\$web|[a-z0-9](?:-?[a-z0-9]){2,62})$/;

/** `undefined` when the URL cannot be read, or what stands for it with Azure. */
export function locationOf(source: ObjectStorageSettings): ObjectLocation | undefined {
  const { url = '', type, authentication } = source;
  if (type === 'azureblobstorage') return azureLocation(source);
  if (url.startsWith('file:')) {
    const pattern = url.replace(/^file:(?:\/\/)?/, '');
    return pattern.startsWith('/') ? { kind: 'file', pattern } : undefined;
  }
  const match = /^(https?:\/\/[^/?#]+)\/([^#]+)$/.exec(url);
  if (!match || !URL.canParse(match[1] ?? '')) return undefined;
  const [, origin = '', rest = ''] = match;
  const isS3 = type === undefined ? authentication === 'IAM_USER' || rest.includes('*') : s3Types.has(type);
  if (!isS3) return { kind: 'http', pattern: url };
  return s3Location(new URL(origin), rest);
}

function azureLocation(source: ObjectStorageSettings): ObjectLocation | undefined {
  const { connectionString = '', azureContainerName: container = '', path = '' } = source;
  const account = readConnectionString(connectionString);
  const pattern = path.replace(/^\/+/, '');
  if (!account || !isContainerName(container) || pattern === '') return undefined;
  return { kind: 'azure', place: { account, container }, pattern };
}

export function isContainerName(name: string): boolean {
  return name.length <= 63 && containerName.test(name);
}

function s3Location(origin: URL, path: string): ObjectLocation | undefined {
  const { bucket, region } = virtualBucket(origin.hostname);
  if (bucket !== undefined) return { kind: 's3', place: { bucketUrl: origin.origin, bucket, region }, pattern: path };
  const [name = '', ...rest] = path.split('/');
  if (name === '' || rest.length === 0 || /[*?{]/.test(name)) return undefined;
  return {
    kind: 's3',
    place: { bucketUrl: `${origin.origin}/${name}`, bucket: name, region },
    pattern: rest.join('/'),
  };
}

interface VirtualBucket {
  /** Absent where the bucket is the first step of the path. */
  bucket?: string | undefined;
  region: string;
}

/** The bucket and region in the hosts of the providers that clients name; others have the bucket in their path. */
function virtualBucket(host: string): VirtualBucket {
  const labels = host.split('.');
  const provider = labels.slice(-2).join('.');
  if (provider === 'amazonaws.com') return awsBucket(labels);
  if (host.endsWith('.storage.googleapis.com')) return { bucket: labels.slice(0, -3).join('.'), region: 'auto' };
  if (provider === 'googleapis.com' || provider === 'cloudflarestorage.com') return { region: 'auto' };
  if (provider === 'digitaloceanspaces.com') return before(labels.slice(0, -2), 1);
  if (host.endsWith('.io.cloud.ovh.net')) return before(labels.slice(0, -4), 2);
  return { region: 'us-east-1' };
}

/** `bucket.region`, where the last `count` labels are not the bucket's; the region is the last of them. */
function before(labels: readonly string[], count: number): VirtualBucket {
  const bucket = labels.slice(0, -count).join('.');
  return { region: labels.at(-1) ?? 'us-east-1', ...(bucket !== '' && { bucket }) };
}

/** `bucket.s3.region`, `bucket.s3-region`, `bucket.s3.dualstack.region`, or without the bucket. */
function awsBucket(labels: readonly string[]): VirtualBucket {
  const at = labels.findIndex((label) => /^s3(-|$)/.test(label));
  if (at < 0) return { region: 'us-east-1' };
  const bucket = labels.slice(0, at).join('.');
  const dashed = labels[at]?.slice('s3-'.length);
  const next = labels.slice(at + 1, -2).find((label) => label !== 'dualstack');
  return { region: dashed || next || 'us-east-1', ...(bucket !== '' && { bucket }) };
}
