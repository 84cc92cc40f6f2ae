import type { AlertInput, AlertRecord } from '../../../../src/contract/alert.ts';

/** What the service sets itself, or says a second time (`channel`). */
const notInBody: ReadonlySet<string> = new Set([
  'id',
  'teamId',
  'state',
  'channel',
  'silenced',
  'acknowledged',
  'executionErrors',
  'createdAt',
  'updatedAt',
]);

/** The body that replaces an alert with itself: an update needs the whole rule (decisions A3). */
export function bodyOfAlert(alert: AlertRecord): AlertInput {
  const { threshold, thresholdType, interval } = alert;
  const kept = Object.entries(alert).filter(([key, value]) => !notInBody.has(key) && value !== null);
  return { ...Object.fromEntries(kept), threshold, thresholdType, interval };
}
