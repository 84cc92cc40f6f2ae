import { type OriginFields, timeJson } from '../records/origin-fields.ts';

/** What is known of a record beside its value. */
export interface RecordOrigin {
  stream: string;
  shard: string;
  sequence: string;
  arrivalMs: number;
  key: string;
}

export const recordFields: OriginFields<RecordOrigin> = {
  _stream: ({ stream }) => JSON.stringify(stream),
  _shard: ({ shard }) => JSON.stringify(shard),
  _sequence_number: ({ sequence }) => JSON.stringify(sequence),
  _timestamp: ({ arrivalMs }) => timeJson(arrivalMs),
  _key: ({ key }) => JSON.stringify(key),
};
