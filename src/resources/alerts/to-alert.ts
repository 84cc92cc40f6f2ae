import type { AlertChannel, AlertInput } from '../../contract/alert.ts';
import type { Alert } from './alert.ts';
import { firstWindowEndAfter, isEnabled, scheduleOf } from './alert.ts';
import type { Rescheduling } from './alert-repository.ts';
import { sourceOf } from './check-alert.ts';

type Identity = Pick<Alert, 'id' | 'createdAt' | 'updatedAt'>;

/** The whole alert of a checked body; what the body leaves out is unset (decisions A3). */
export function toAlert(identity: Identity, input: AlertInput): Alert {
  const { name, message, note, thresholdMax, numConsecutiveWindows, scheduleOffsetMinutes, scheduleStartAt } = input;
  const { recoveryThreshold } = input;
  return {
    ...identity,
    ...watchedIds(input),
    threshold: input.threshold,
    thresholdType: input.thresholdType,
    interval: input.interval,
    channels: (input.channels ?? (input.channel ? [input.channel] : [])).map(knownKeys),
    ...(isSet(name) && { name }),
    ...(isSet(message) && { message }),
    ...(isSet(note) && { note }),
    ...labelsOf(input),
    ...(isSet(thresholdMax) && { thresholdMax }),
    ...(isSet(recoveryThreshold) && { recoveryThreshold }),
    ...(isSet(numConsecutiveWindows) && { numConsecutiveWindows }),
    ...(isSet(scheduleOffsetMinutes) && { scheduleOffsetMinutes }),
    ...(scheduleStartAt !== undefined && { scheduleStartAt }),
    ...(input.missingData !== undefined && { missingData: input.missingData }),
    ...(input.repeatInterval !== undefined && { repeatInterval: input.repeatInterval }),
    ...(input.enabled !== undefined && { enabled: input.enabled }),
  };
}

/**
 * What an edit means for the evaluation (decisions A3; U-32). An alert that is switched off or on starts again; the
 * windows that it slept through are never evaluated.
 */
export function reschedulingOf(before: Alert, after: Alert, nowMs: number): Rescheduling {
  const switched = isEnabled(before) !== isEnabled(after);
  const scheduleChanged = switched || scheduleKeys.some((key) => before[key] !== after[key]);
  return {
    resetState: switched || ruleKeys.some((key) => before[key] !== after[key]),
    ...(scheduleChanged && { nextWindowEndMs: firstWindowEndAfter(scheduleOf(after), nowMs) }),
  };
}

/** Query, threshold and interval. */
const ruleKeys = [
  'dashboardId',
  'tileId',
  'savedSearchId',
  'groupBy',
  'threshold',
  'thresholdMax',
  'recoveryThreshold',
  'thresholdType',
  'interval',
] as const;
const scheduleKeys = ['interval', 'scheduleOffsetMinutes', 'scheduleStartAt'] as const;

function watchedIds(input: AlertInput): Pick<Alert, 'dashboardId' | 'tileId' | 'savedSearchId' | 'groupBy'> {
  const { dashboardId, tileId, savedSearchId, groupBy } = input;
  if (sourceOf(input) === 'saved_search') {
    return { ...(isSet(savedSearchId) && { savedSearchId }), ...(groupBy?.trim() && { groupBy }) };
  }
  return { ...(isSet(dashboardId) && { dashboardId }), ...(isSet(tileId) && { tileId }) };
}

function labelsOf({
  displayName,
  tags,
  detectionMode,
}: AlertInput): Pick<Alert, 'displayName' | 'tags' | 'detectionMode'> {
  return {
    ...(isSet(displayName) && { displayName }),
    ...(tags && { tags }),
    ...(isSet(detectionMode) && { detectionMode }),
  };
}

function knownKeys({ type, webhookId, webhookService, slackChannelId, severity }: AlertChannel): AlertChannel {
  return {
    type,
    webhookId,
    ...(webhookService !== undefined && { webhookService }),
    ...(slackChannelId !== undefined && { slackChannelId }),
    ...(severity !== undefined && { severity }),
  };
}

function isSet<T>(value: T | null | undefined): value is T {
  return value !== null && value !== undefined;
}
