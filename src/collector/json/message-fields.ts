/** How a field's JSON form becomes protobuf. */
export type FieldKind =
  | 'string'
  | 'bool'
  | 'double'
  | 'uint32'
  | 'sint32'
  | 'fixed32'
  | 'int64'
  | 'uint64'
  | 'fixed64'
  | 'sfixed64'
  /** OTLP/JSON writes ids in hex, unlike other bytes. */
  | 'hex'
  | 'base64'
  | { enum: Readonly<Record<string, number>> }
  | { message: () => MessageFields };

/** What the elements of a field are: records, or groups of records. */
export type Holds = 'record' | 'records';

export interface Field {
  name: string;
  number: number;
  kind: FieldKind;
  repeated: boolean;
  holds?: Holds | undefined;
}

type Declared = Readonly<Record<string, readonly [fieldNumber: number, kind: FieldKind, holds?: Holds]>>;

/** Fields of one message by their JSON name: both `lowerCamelCase` and `snake_case` are names (proto3 JSON). */
export class MessageFields {
  readonly #byLength: { name: Buffer; field: Field }[][] = [];

  add(name: string, field: Field): void {
    const sameLength = this.#byLength[name.length] ?? [];
    this.#byLength[name.length] = sameLength;
    const bytes = Buffer.from(name);
    if (!sameLength.some((known) => known.name.equals(bytes))) sameLength.push({ name: bytes, field });
  }

  /** The field whose name is in `[start, end)`, found without creating a string. */
  find(bytes: Buffer, start: number, end: number): Field | undefined {
    const sameLength = this.#byLength[end - start];
    if (!sameLength) return undefined;
    for (const { name, field } of sameLength) {
      if (isSame(name, bytes, start)) return field;
    }
    return undefined;
  }
}

function isSame(name: Buffer, bytes: Buffer, start: number): boolean {
  for (let index = name.length - 1; index >= 0; index--) {
    if (name[index] !== bytes[start + index]) return false;
  }
  return true;
}

/** Declares a message: `single` and `repeated` fields by their `lowerCamelCase` name. */
export function message(single: Declared, repeated: Declared = {}): MessageFields {
  const fields = new MessageFields();
  addAll(fields, single, false);
  addAll(fields, repeated, true);
  return fields;
}

function addAll(fields: MessageFields, declared: Declared, repeated: boolean): void {
  for (const [name, [number, kind, holds]] of Object.entries(declared)) {
    const field = { name, number, kind, repeated, holds };
    fields.add(name, field);
    fields.add(
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      field,
    );
  }
}
