import { containerMagic, readAvroContainer } from './avro-container.ts';
import type { AvroReader } from './avro-schema.ts';
import { writeJson } from './json-line.ts';
import type { LineBody } from './line-body.ts';
import { type RecordFormat, UnreadableRecordError, type ValueBatch, type ValuePlace } from './record-format.ts';

/** Schemas by their number. */
export interface AvroSchemas {
  /** Throws `SourceError` when they cannot be asked for. */
  load(ids: ReadonlySet<number>): Promise<void>;
  /** One that was loaded. Throws `UnreadableRecordError` when it is unknown or no use. */
  get(id: number): AvroReader;
}

/** Zero, then the number of the schema in four bytes. */
const framingBytes = 5;

/** Avro: values with the number of their schema in a registry, or containers that bring it along. */
export class AvroRecords implements RecordFormat {
  readonly #schemas: AvroSchemas | undefined;

  constructor(schemas: AvroSchemas | undefined) {
    this.#schemas = schemas;
  }

  async begin({ bytes, places }: ValueBatch): Promise<void> {
    if (!this.#schemas) return;
    const ids = new Set<number>();
    for (const { start, end } of places()) {
      if (isFramed(bytes, start, end)) ids.add(bytes.readUInt32BE(start + 1));
    }
    await this.#schemas.load(ids);
  }

  write({ bytes, start, end }: ValuePlace, prefix: string, into: LineBody): number {
    const values = this.#read(bytes, start, end);
    for (const value of values) {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) {
        throw new UnreadableRecordError('The schema of the record is not that of an Avro record.');
      }
      writeJson(value, into, prefix);
      into.endLine();
    }
    return values.length;
  }

  #read(bytes: Buffer, start: number, end: number): unknown[] {
    try {
      if (isFramed(bytes, start, end) && this.#schemas) {
        const schema = this.#schemas.get(bytes.readUInt32BE(start + 1));
        return [schema.read(bytes.subarray(start + framingBytes, end))];
      }
      if (bytes.subarray(start, start + containerMagic.length).equals(containerMagic)) {
        return readAvroContainer(bytes.subarray(start, end));
      }
    } catch (error) {
      if (error instanceof UnreadableRecordError) throw error;
      throw new UnreadableRecordError('The record is not what its Avro schema says.');
    }
    throw new UnreadableRecordError(
      this.#schemas
        ? 'The record does not begin with the number of a schema.'
        : 'The record is no Avro container; for records with the number of a schema, enter a schemaRegistry.',
    );
  }
}

function isFramed(bytes: Buffer, start: number, end: number): boolean {
  return start >= 0 && end - start >= framingBytes && bytes[start] === 0;
}
