import { zoneOffsetMs } from '../../../src/contract/time-zone.ts';
import { browserZone } from './page-zone.ts';

/** How far the clocks of a zone are ahead of UTC; the browser's own are asked without formatting a date. */
export function offsetMs(zone: string, atMs: number): number {
  return zone === browserZone ? -new Date(atMs).getTimezoneOffset() * 60_000 : zoneOffsetMs(zone, atMs);
}
