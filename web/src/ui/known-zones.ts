import { isTimeZone } from '../../../src/contract/time-zone.ts';

/** Places that browsers list under their former names only. */
const renamed = [
  'America/Argentina/Buenos_Aires',
  'America/Nuuk',
  'Asia/Ho_Chi_Minh',
  'Asia/Kathmandu',
  'Asia/Kolkata',
  'Asia/Yangon',
  'Europe/Kyiv',
];

/** Names of time zones that a person may choose, UTC first. */
export function knownZones(): string[] {
  const named = [...Intl.supportedValuesOf('timeZone'), ...renamed].filter(
    (name) => name !== 'UTC' && isTimeZone(name),
  );
  return ['UTC', ...[...new Set(named)].sort()];
}
