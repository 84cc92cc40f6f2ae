import { type OriginFields, timeJson } from '../records/origin-fields.ts';

/** What is known of a record beside its value. */
export interface RecordOrigin {
  topic: string;
  partition: number;
  offset: number;
  timestampMs: number;
  key: Buffer | undefined;
}

export const recordFields: OriginFields<RecordOrigin> = {
  _topic: ({ topic }) => JSON.stringify(topic),
  _partition: ({ partition }) => String(partition),
  _offset: ({ offset }) => String(offset),
  _timestamp: ({ timestampMs }) => timeJson(timestampMs),
  _key: ({ key }) => (key === undefined ? 'null' : JSON.stringify(key.toString())),
};
