import { isTimeZone } from '../../../src/contract/time-zone.ts';

/** `local` is the zone of the browser; else `UTC` or another name of the IANA database. */
export type ZoneChoice = string;

/** Some browsers don't know where they are. */
const foundZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
export const browserZone = isTimeZone(foundZone) ? foundZone : 'UTC';

const listeners = new Set<() => void>();
let choice: ZoneChoice = 'local';

export function zoneChoice(): ZoneChoice {
  return choice;
}

/** The zone of every time on the pages: an IANA name. */
export function pageZone(): string {
  return choice === 'local' ? browserZone : choice;
}

/** A name that is no time zone means the browser's. */
export function setZone(next: ZoneChoice): void {
  choice = isTimeZone(next) ? next : 'local';
  for (const listener of listeners) listener();
}

/** @returns what ends it */
export function watchZone(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
