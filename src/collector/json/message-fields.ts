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

export interface Field {
  number: number;
  kind: FieldKind;
  repeated: boolean;
}

/** Fields of one message by their JSON name; both `lowerCamelCase` and `snake_case` are keys (proto3 JSON). */
export type MessageFields = ReadonlyMap<string, Field>;

type Declared = Readonly<Record<string, readonly [fieldNumber: number, kind: FieldKind]>>;

/** Declares a message: `single` and `repeated` fields by their `lowerCamelCase` name. */
export function message(single: Declared, repeated: Declared = {}): MessageFields {
  const fields = new Map<string, Field>();
  addAll(fields, single, false);
  addAll(fields, repeated, true);
  return fields;
}

function addAll(fields: Map<string, Field>, declared: Declared, repeated: boolean): void {
  for (const [name, [number, kind]] of Object.entries(declared)) {
    const field = { number, kind, repeated };
    fields.set(name, field);
    fields.set(
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      field,
    );
  }
}
