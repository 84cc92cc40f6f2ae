import { parseDuration } from '../kernel/duration.ts';
import type { Alert } from '../resources/alerts/alert.ts';
import type { Rule } from './transition.ts';

/** The part of an alert that evaluates; the same for live windows and for a preview. */
export function toRule(alert: Alert): Rule {
  const repeatMs = alert.repeatInterval === undefined ? undefined : parseDuration(alert.repeatInterval);
  return {
    threshold: alert.threshold,
    thresholdType: alert.thresholdType,
    ...(alert.thresholdMax !== undefined && { thresholdMax: alert.thresholdMax }),
    ...(alert.recoveryThreshold !== undefined && { recoveryThreshold: alert.recoveryThreshold }),
    consecutiveWindows: alert.numConsecutiveWindows ?? 1,
    ...(alert.missingData !== undefined && { missingData: alert.missingData }),
    ...(repeatMs !== undefined && { repeatMs }),
  };
}
