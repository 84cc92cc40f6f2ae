import { sep } from 'node:path';
import type { PipeInput } from '../../contract/pipe-input.ts';
import type { Problem } from '../../contract/problem.ts';
import { readConnectionString } from './azure-account.ts';
import { compressionNames } from './compression.ts';
import { expandBraces, GlobTooLargeError, isPlain } from './glob.ts';
import { isContainerName, locationOf, type ObjectStorageSettings } from './location.ts';

/** The key pair with which requests are signed. */
export function accessKeyOf({ accessKey }: ObjectStorageSettings): { id: string; secret: string } | undefined {
  const { accessKeyId: id, secretKey: secret } = accessKey ?? {};
  return id === undefined || secret === undefined ? undefined : { id, secret };
}

/** What of an object storage pipe cannot be run here. */
export function objectStorageProblems(pipe: PipeInput, filesFolder: string | undefined): Problem[] {
  const source = pipe.source?.objectStorage ?? {};
  const at = (field: string, message: string): Problem => ({ path: `source.objectStorage.${field}`, message });
  const isAzure = source.type === 'azureblobstorage';
  return [
    ...(isAzure ? azureProblems(source) : unsupported(source)).map(([field, message]) => at(field, message)),
    ...(isAzure ? [] : urlProblems(source, filesFolder).map((message) => at('url', message))),
    ...formatProblems(source).map(([field, message]) => at(field, message)),
    ...settingProblems(pipe),
  ];
}

type Named = readonly [field: string, message: string];

const noRoles = 'cloud roles cannot be assumed by this program; use authentication IAM_USER with accessKey';

function unsupported(source: ObjectStorageSettings): Named[] {
  const { authentication, accessKey } = source;
  const found: Named[] = [];
  for (const field of ['path', 'azureContainerName', 'connectionString'] as const) {
    if (source[field] !== undefined) found.push([field, 'is for type azureblobstorage; others have a url']);
  }
  if (source.iamRole !== undefined) found.push(['iamRole', noRoles]);
  if (authentication === 'IAM_USER' && !accessKeyOf(source)) {
    found.push(['accessKey', 'must have accessKeyId and secretKey with authentication IAM_USER']);
  }
  if (accessKey !== undefined && authentication !== 'IAM_USER') {
    found.push(['authentication', 'must be IAM_USER when accessKey is given']);
  }
  if (authentication !== undefined && authentication !== 'IAM_USER') {
    found.push([
      'authentication',
      authentication === 'IAM_ROLE' ? noRoles : 'must be IAM_USER, or be omitted for public objects',
    ]);
  }
  if (source.credentials !== undefined) found.push(['credentials', 'is not used here; use accessKey']);
  if (source.serviceAccountKey !== undefined) {
    found.push(['serviceAccountKey', 'is not supported; use an HMAC key as accessKey']);
  }
  return [...found, ...queueProblems(source)];
}

/** Azure Blob Storage has no URL: an account by its connection string, a container and the names in it. */
function azureProblems(source: ObjectStorageSettings): Named[] {
  const { authentication, connectionString, azureContainerName = '', path = '' } = source;
  const found: Named[] = [];
  if (authentication !== 'CONNECTION_STRING') {
    found.push(['authentication', 'must be CONNECTION_STRING with type azureblobstorage']);
  }
  if (connectionString === undefined || !readConnectionString(connectionString)) {
    found.push([
      'connectionString',
      'must have AccountName and AccountKey, or SharedAccessSignature with AccountName or BlobEndpoint',
    ]);
  }
  if (!isContainerName(azureContainerName)) {
    found.push([
      'azureContainerName',
      'must be the name of a container: 3 to 63 lower-case letters, digits and hyphens',
    ]);
  }
  if (/^\/*$/.test(path)) found.push(['path', 'must be names in the container, such as orders/**/*.json']);
  else if (hasTooManyAlternatives(path)) found.push(['path', tooManyAlternatives]);
  for (const field of ['url', 'accessKey', 'iamRole', 'credentials', 'serviceAccountKey', 'queueUrl'] as const) {
    // Clients whose url is not optional send an empty one.
    if (source[field] !== undefined && source[field] !== '') {
      found.push([field, 'is not for type azureblobstorage; use connectionString, azureContainerName and path']);
    }
  }
  return found;
}

const tooManyAlternatives = 'must not have more than 1000 alternatives in braces';

function hasTooManyAlternatives(pattern: string): boolean {
  try {
    expandBraces(pattern);
    return false;
  } catch (error) {
    if (error instanceof GlobTooLargeError) return true;
    throw error;
  }
}

/** Notifications of S3 in a queue of SQS. */
function queueProblems(source: ObjectStorageSettings): Named[] {
  const { queueUrl, isContinuous } = source;
  if (queueUrl === undefined) return [];
  const url = URL.canParse(queueUrl) ? new URL(queueUrl) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.pathname === '/' || url.username || url.password) {
    return [
      ['queueUrl', 'must be the URL of a queue, such as https://sqs.eu-central-1.amazonaws.com/123456789012/name'],
    ];
  }
  if (url.pathname.endsWith('.fifo'))
    return [['queueUrl', 'must be a standard queue: S3 does not write to FIFO queues']];
  if (!isContinuous) return [['queueUrl', 'needs isContinuous: true']];
  const isS3 = (source.type ?? 's3') === 's3' && locationOf(source)?.kind === 's3';
  if (isS3 && accessKeyOf(source)) return [];
  return [['queueUrl', 'needs objects of type s3 and authentication IAM_USER with accessKey']];
}

function urlProblems(source: ObjectStorageSettings, filesFolder: string | undefined): string[] {
  const { url } = source;
  if (url === undefined) return ['is required'];
  const location = locationOf(source);
  if (!location)
    return ['must be an http or https URL of objects, with the bucket and a key or pattern, or a file: URL'];
  if (hasTooManyAlternatives(location.pattern)) return [tooManyAlternatives];
  if (location.kind === 'http') {
    return /[*]/.test(location.pattern)
      ? ['must have a type, such as s3, for * in it: web servers have no listing']
      : [];
  }
  if (location.kind !== 'file') return [];
  if (filesFolder === undefined)
    return ['files of the machine may not be read; SIGNALBOX_PIPE_FILES_DIR allows a folder'];
  const folder = filesFolder.endsWith(sep) ? filesFolder : filesFolder + sep;
  const isInside = location.pattern.startsWith(folder) && !location.pattern.split('/').includes('..');
  return isInside ? [] : ['must be inside the folder that the operator allows'];
}

function formatProblems(source: ObjectStorageSettings): Named[] {
  const { format, compression, delimiter, startAfter, url = '', path = url } = source;
  const found: Named[] = [];
  if (format === undefined) found.push(['format', 'is required']);
  if (compression !== undefined && !compressionNames.some((name) => name === compression.toLowerCase())) {
    found.push(['compression', `must be one of ${compressionNames.join(', ')}`]);
  }
  if (
    delimiter !== undefined &&
    (!format?.startsWith('CSV') || !/^[\x20-\x7e\t]$/.test(delimiter) || delimiter === '"')
  ) {
    found.push(['delimiter', 'must be one character, and is for the formats CSV and CSVWithNames']);
  }
  if (startAfter !== undefined && isPlain(path)) found.push(['startAfter', 'needs a url or path with a pattern']);
  return found;
}

function settingProblems({ settings = {} }: PipeInput): Problem[] {
  const foreign = (['streaming_max_insert_wait_ms', 'kafka_read_committed'] as const).filter(
    (name) => settings[name] !== undefined,
  );
  return [
    ...foreign.map((name) => ({ path: `settings.${name}`, message: 'is not a setting of objectStorage sources' })),
    ...(settings.object_storage_use_cluster_function
      ? [
          {
            path: 'settings.object_storage_use_cluster_function',
            message: 'must be false or omitted: this program reads the objects, not the database',
          },
        ]
      : []),
  ];
}
