import type { LineBody } from './line-body.ts';

/** Writes an object with values as Avro has them: bytes as they are, numbers that JSON lacks as text. */
export function writeJson(value: object, into: LineBody, prefix = ''): void {
  into.text(`${fieldsText(value, into, `{${prefix}`, prefix === '')}}`);
}

/** Text that is not written yet; bytes are written in between. */
function jsonText(value: unknown, into: LineBody, before: string): string {
  switch (typeof value) {
    case 'string':
      return before + JSON.stringify(value);
    case 'number':
      return before + (Number.isFinite(value) ? String(value) : `"${nonFinite(value)}"`);
    case 'boolean':
      return before + String(value);
    case 'object':
      return value === null ? `${before}null` : objectText(value, into, before);
    default:
      return `${before}null`;
  }
}

function objectText(value: object, into: LineBody, before: string): string {
  if (value instanceof Uint8Array) {
    into.text(before);
    into.bytes(value);
    return '';
  }
  if (isBranch(value)) return jsonText(value.unwrap(), into, before);
  if (Array.isArray(value)) {
    let text = `${before}[`;
    for (const [index, item] of value.entries()) text = jsonText(item, into, index === 0 ? text : `${text},`);
    return `${text}]`;
  }
  return `${fieldsText(value, into, `${before}{`, true)}}`;
}

function fieldsText(value: object, into: LineBody, before: string, isFirst: boolean): string {
  let text = before;
  let separator = isFirst ? '' : ',';
  for (const [name, field] of Object.entries(value)) {
    text = jsonText(field, into, `${text}${separator}${JSON.stringify(name)}:`);
    separator = ',';
  }
  return text;
}

/** A value of a union whose branches cannot be distinguished by plain values. */
function isBranch(value: object): value is { unwrap(): unknown } {
  return 'unwrap' in value && typeof value.unwrap === 'function';
}

function nonFinite(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  return value > 0 ? 'inf' : '-inf';
}
