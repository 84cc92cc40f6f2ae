import type { EventRow } from './event-columns.ts';

/** An event as the address names it: its instant, and a hash that finds it among others of the same instant. */
export function eventKey({ time, service, text, spanId }: EventRow): string {
  return `${time}.${hashOf([service, text, spanId].join('\n'))}`;
}

/** The instant of a key; `undefined` for what is none. */
export function instantOfKey(key: string): string | undefined {
  return /^(\d{4}-\d{2}-\d{2}T[\d:.]+Z)\.[0-9a-z]+$/.exec(key)?.[1];
}

export function findByKey<Row extends EventRow>(rows: readonly Row[], key: string): Row | undefined {
  const time = instantOfKey(key);
  return rows.find((row) => row.time === time && eventKey(row) === key);
}

/** 53 bits: two lanes of FNV-1a with different starts. */
function hashOf(text: string): string {
  let high = 0x811c9dc5;
  let low = 0x01000193;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    high = Math.imul(high ^ code, 0x01000193);
    low = Math.imul(low ^ code, 0x85ebca6b);
  }
  return ((high >>> 0) * 0x200000 + ((low >>> 0) & 0x1fffff)).toString(36);
}
