/** How a field's value is laid out in protobuf's binary form. */
export const wireType = { varint: 0, fixed64: 1, lengthDelimited: 2, groupStart: 3, groupEnd: 4, fixed32: 5 } as const;

/** The tag in front of a varint field: bool, enum, int32, int64, uint32, uint64, sint32. */
export function varint(fieldNumber: number): number {
  return (fieldNumber << 3) | wireType.varint;
}

/** The tag in front of a fixed64, sfixed64 or double field. */
export function fixed64(fieldNumber: number): number {
  return (fieldNumber << 3) | wireType.fixed64;
}

/** The tag in front of a string, bytes, message or packed field. */
export function lengthDelimited(fieldNumber: number): number {
  return (fieldNumber << 3) | wireType.lengthDelimited;
}

/** The tag in front of a fixed32 field. */
export function fixed32(fieldNumber: number): number {
  return (fieldNumber << 3) | wireType.fixed32;
}
