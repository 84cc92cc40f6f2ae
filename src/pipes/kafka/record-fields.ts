import type { PipeInput } from '../../contract/pipe-input.ts';

/** What is known of a record beside its value. */
export interface RecordOrigin {
  topic: string;
  partition: number;
  offset: number;
  timestampMs: number;
  key: Buffer | undefined;
}

const fields: Readonly<Record<string, (origin: RecordOrigin) => string>> = {
  _topic: ({ topic }) => JSON.stringify(topic),
  _partition: ({ partition }) => String(partition),
  _offset: ({ offset }) => String(offset),
  _timestamp: ({ timestampMs }) => JSON.stringify(timeText(timestampMs)),
  _key: ({ key }) => (key === undefined ? 'null' : JSON.stringify(key.toString())),
};

/** Fields of its origin that the pipe asks for, by a mapping or, without mappings, by a column of that name. */
export function originFieldsOf({ destination, fieldMappings = [] }: PipeInput): string[] {
  const { columns = [] } = destination ?? {};
  const asked =
    fieldMappings.length > 0 ? fieldMappings.map(({ sourceField }) => sourceField) : columns.map(({ name }) => name);
  return [...new Set(asked)].filter((name) => Object.hasOwn(fields, name));
}

/** First fields of a JSON object. */
export function originText(names: readonly string[], origin: RecordOrigin): string {
  return names.map((name) => `"${name}":${fields[name]?.(origin) ?? 'null'}`).join(',');
}

function timeText(ms: number): string {
  return new Date(Math.max(0, ms)).toISOString().slice(0, 23).replace('T', ' ');
}
