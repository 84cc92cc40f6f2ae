import type { AlertRecord } from '../../contract/alert.ts';
import type { StoredAlert } from './alert.ts';

/** The record of contract §3.2: some fields are null when unset, others absent (decisions A4). */
export function presentAlert(tenantId: string, stored: StoredAlert): AlertRecord {
  const { alert, status, firingSinceMs, executionErrors, silenced, acknowledged } = stored;
  const { channels, name, message, note, numConsecutiveWindows, ...rest } = alert;
  const [channel] = channels;
  if (!channel) throw new Error('an alert is stored without a channel');
  return {
    ...rest,
    teamId: tenantId,
    source: alert.savedSearchId === undefined ? 'tile' : 'saved_search',
    state: status,
    ...(firingSinceMs !== undefined && { firingSince: new Date(firingSinceMs).toISOString() }),
    channel,
    channels,
    name: name ?? null,
    message: message ?? null,
    note: note ?? null,
    numConsecutiveWindows: numConsecutiveWindows ?? null,
    ...(silenced && { silenced }),
    ...(acknowledged && { acknowledged }),
    ...(executionErrors && { executionErrors }),
  };
}
