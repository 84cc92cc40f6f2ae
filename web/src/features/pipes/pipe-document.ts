import type { Pipe } from '../../../../src/contract/pipe.ts';

export type SourceKind = 'objectStorage' | 'kafka' | 'kinesis' | 'postgres';

export const kindNames: Readonly<Record<SourceKind, string>> = {
  objectStorage: 'Object storage',
  kafka: 'Kafka',
  kinesis: 'Kinesis',
  postgres: 'PostgreSQL',
};

const destination = {
  table: 'orders',
  columns: [
    { name: 'id', type: 'UInt64' },
    { name: 'placed_at', type: 'DateTime' },
    { name: 'message', type: 'String' },
  ],
  tableDefinition: { sortingKey: ['placed_at', 'id'] },
};

/** What is written most often, with places and secrets to be filled in. */
const examples: Readonly<Record<SourceKind, object>> = {
  objectStorage: {
    name: 'orders',
    source: {
      objectStorage: {
        type: 's3',
        url: 'https://BUCKET.s3.eu-central-1.amazonaws.com/orders/*.json',
        format: 'JSONEachRow',
        authentication: 'IAM_USER',
        accessKey: { accessKeyId: '', secretKey: '' },
        isContinuous: true,
      },
    },
    destination,
  },
  kafka: {
    name: 'orders',
    source: {
      kafka: {
        type: 'kafka',
        brokers: 'BROKER:9092',
        topics: 'orders',
        format: 'JSONEachRow',
        authentication: 'SCRAM-SHA-256',
        credentials: { username: '', password: '' },
      },
    },
    destination,
  },
  kinesis: {
    name: 'orders',
    source: {
      kinesis: {
        region: 'eu-central-1',
        streamName: 'orders',
        format: 'JSONEachRow',
        authentication: 'IAM_USER',
        accessKey: { accessKeyId: '', secretKey: '' },
      },
    },
    destination,
  },
  postgres: {
    name: 'shop',
    source: {
      postgres: {
        type: 'postgres',
        host: 'HOST',
        port: 5432,
        database: 'shop',
        credentials: { username: '', password: '' },
        tableMappings: [{ sourceSchemaName: 'public', sourceTable: 'orders', targetTable: 'orders' }],
      },
    },
    destination: {},
  },
};

export function exampleText(kind: SourceKind): string {
  return textOf(examples[kind]);
}

/** What can be changed of a pipe; its secrets are not shown. */
export function editableText(pipe: Pipe): string {
  const { id: _id, serviceId: _service, state: _state, createdAt: _created, updatedAt: _updated, ...rest } = pipe;
  return textOf(rest);
}

function textOf(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

export type ReadDocument = { value: Record<string, unknown>; problem?: undefined } | { problem: string };

export function readDocument(text: string): ReadDocument {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? { value } : { problem: 'The text must be a JSON object, in braces.' };
  } catch (error) {
    const place = error instanceof Error ? placeOf(error.message, text) : undefined;
    return { problem: `The text is not JSON${place === undefined ? '' : ` (line ${place})`}.` };
  }
}

/** Browsers name a position or the line, but not of every mistake. */
function placeOf(message: string, text: string): number | undefined {
  const line = /line (\d+)/.exec(message)?.[1];
  if (line !== undefined) return Number(line);
  const position = /position (\d+)/.exec(message)?.[1];
  return position === undefined ? undefined : text.slice(0, Number(position)).split('\n').length;
}

/** The merge patch (RFC 7396) that makes `after` of `before`: what is the same is absent, so that secrets stay. */
export function patchOf(before: Record<string, unknown>, after: Record<string, unknown>): Record<string, unknown> {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changes = [...names].flatMap((name): [string, unknown][] => {
    const [old, wanted] = [before[name], after[name]];
    if (wanted === undefined) return [[name, null]];
    if (JSON.stringify(old) === JSON.stringify(wanted)) return [];
    return [[name, isRecord(old) && isRecord(wanted) ? patchOf(old, wanted) : wanted]];
  });
  return Object.fromEntries(changes);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
