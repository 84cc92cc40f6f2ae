/** The few parts of OTLP/JSON that the program needs to report about itself. 64-bit numbers are decimal text. */
export type AnyValue =
  | { stringValue: string }
  | { doubleValue: number }
  | { boolValue: boolean }
  | { intValue: string };
export interface KeyValue {
  key: string;
  value: AnyValue;
}

/** Attributes from plain fields; nested values become JSON text, absent ones are left out. */
export function attributesFrom(fields: Readonly<Record<string, unknown>>): KeyValue[] {
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([key, value]) => ({ key, value: anyValue(value) }));
}

function anyValue(value: unknown): AnyValue {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number')
    return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  return { stringValue: JSON.stringify(value) };
}

/** Unix milliseconds (fractions allowed) to the nanosecond text of OTLP/JSON. */
export function unixNano(ms: number): string {
  return (BigInt(Math.floor(ms)) * 1_000_000n + BigInt(Math.round((ms % 1) * 1e6))).toString();
}
