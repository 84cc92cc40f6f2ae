import avro, { type Type } from 'avsc';
import { UnreadableRecordError } from './record-format.ts';

/** Reads values that were written with one schema. */
export interface AvroReader {
  /** Plain values: longs beyond 2^53 and decimals as text, times as text in UTC. Throws for bytes of another schema. */
  read(bytes: Buffer): unknown;
}

/** Values of one schema within more bytes, as containers have them. */
export interface AvroStepReader extends AvroReader {
  /** The value at `at` and where the next one is; below 0 = the bytes end first. */
  readAt(bytes: Buffer, at: number): { value: unknown; offset: number };
}

const schemaCharsMax = 1 << 20;

/** The library refuses longs that a JavaScript number cannot hold. */
const long = avro.types.LongType.__with({
  fromBuffer: (bytes: Buffer) => {
    const exact = bytes.readBigInt64LE();
    const near = Number(exact);
    return Number.isSafeInteger(near) ? near : exact.toString();
  },
  toBuffer: (value: number | string) => {
    const bytes = Buffer.alloc(8);
    bytes.writeBigInt64LE(BigInt(value));
    return bytes;
  },
  fromJSON: (value: unknown) => value,
  toJSON: (value: unknown) => value,
  isValid: (value: unknown) => typeof value === 'number' || (typeof value === 'string' && /^-?\d{1,19}$/.test(value)),
  compare: () => 0,
});

/** Throws `UnreadableRecordError` for a schema that cannot be used, with what is wrong about it. */
export function parseAvroSchema(text: string, referenced: readonly string[] = []): AvroStepReader {
  if (text.length > schemaCharsMax) throw new UnreadableRecordError('The schema of the record is too large.');
  const registry: Record<string, Type> = { long };
  try {
    for (const schema of referenced) typeOf(schema, registry);
    const type = typeOf(text, registry);
    return { read: (bytes) => type.fromBuffer(bytes), readAt: (bytes, at) => type.decode(bytes, at) };
  } catch {
    throw new UnreadableRecordError('The schema of the record is not an Avro schema that can be read here.');
  }
}

function typeOf(text: string, registry: Record<string, Type>): Type {
  // Avro's reader checks it.
  const schema = JSON.parse(text) as avro.Schema;
  const type = avro.Type.forSchema(schema, { registry, logicalTypes, omitRecordMethods: true });
  refuseEmptyItems(type, new Set());
  return type;
}

/** An item without bytes lets a few bytes claim billions of items. */
function refuseEmptyItems(type: Type, seen: Set<Type>): void {
  if (seen.has(type)) return;
  seen.add(type);
  if (type instanceof avro.types.ArrayType) {
    if (isEmpty(type.itemsType)) throw new Error('items without bytes');
    refuseEmptyItems(type.itemsType, seen);
  } else if (type instanceof avro.types.MapType) refuseEmptyItems(type.valuesType, seen);
  else if (type instanceof avro.types.RecordType) {
    for (const field of type.fields) refuseEmptyItems(field.type, seen);
  } else if (type instanceof avro.types.LogicalType) refuseEmptyItems(type.underlyingType, seen);
  else if (type instanceof avro.types.UnwrappedUnionType || type instanceof avro.types.WrappedUnionType) {
    for (const branch of type.types) refuseEmptyItems(branch, seen);
  }
}

function isEmpty(type: Type): boolean {
  if (type instanceof avro.types.NullType) return true;
  if (type instanceof avro.types.FixedType) return type.size === 0;
  return type instanceof avro.types.RecordType && type.fields.every((field) => isEmpty(field.type));
}

abstract class TextType extends avro.types.LogicalType {
  protected override _resolve(): undefined {
    return undefined;
  }

  protected override _toValue(value: unknown): unknown {
    return value;
  }
}

function timestampType(unitsPerSecond: number) {
  const digits = Math.log10(unitsPerSecond);
  return class extends TextType {
    protected override _fromValue(value: number | string): string {
      const units = BigInt(value);
      const perSecond = BigInt(unitsPerSecond);
      const fraction = ((units % perSecond) + perSecond) % perSecond;
      const seconds = (units - fraction) / perSecond;
      return `${timeText(Number(seconds) * 1000)}.${fraction.toString().padStart(digits, '0')}`;
    }
  };
}

class DateType extends TextType {
  protected override _fromValue(days: number): string {
    return timeText(days * 86_400_000).slice(0, 10);
  }
}

class DecimalType extends TextType {
  readonly #scale: number;

  constructor(schema: avro.Schema & { scale?: number }, options?: unknown) {
    super(schema, options);
    this.#scale = schema.scale ?? 0;
  }

  protected override _fromValue(bytes: Buffer): string {
    const unscaled = bytes.length === 0 ? 0n : BigInt.asIntN(bytes.length * 8, BigInt(`0x${bytes.toString('hex')}`));
    const digits = (unscaled < 0n ? -unscaled : unscaled).toString().padStart(this.#scale + 1, '0');
    const sign = unscaled < 0n ? '-' : '';
    if (this.#scale === 0) return sign + digits;
    return `${sign}${digits.slice(0, -this.#scale)}.${digits.slice(-this.#scale)}`;
  }
}

const [millis, micros, nanos] = [timestampType(1e3), timestampType(1e6), timestampType(1e9)];
const logicalTypes = {
  date: DateType,
  decimal: DecimalType,
  'timestamp-millis': millis,
  'timestamp-micros': micros,
  'timestamp-nanos': nanos,
  'local-timestamp-millis': millis,
  'local-timestamp-micros': micros,
  'local-timestamp-nanos': nanos,
};

function timeText(ms: number): string {
  const date = new Date(ms);
  if (Number.isNaN(date.getTime())) throw new RangeError('a time outside of what dates can hold');
  return date.toISOString().slice(0, 19).replace('T', ' ');
}
