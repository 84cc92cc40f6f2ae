import { AppError } from '../../../contract/errors.ts';
import { isTimeZone, timeZoneRule } from '../../../contract/time-zone.ts';

/** The time zone of a request; UTC when absent. Throws `query_invalid` for a name that is none. */
export function readTimeZone(timezone = 'UTC'): string {
  if (isTimeZone(timezone)) return timezone;
  throw new AppError('query_invalid', { public: `timezone: ${timeZoneRule}.` });
}
