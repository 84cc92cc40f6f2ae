import type { AlertInput, AlertRecord } from '../../../../src/contract/alert.ts';
import type {
  AlertDeliveryRecord,
  AlertEvaluationRecord,
  EvaluationReason,
} from '../../../../src/contract/alert-log.ts';
import type { NumberFormat } from '../../../../src/contract/number-format.ts';
import { type Limit, thresholdText } from '../../../../src/contract/threshold-text.ts';
import { formatValue } from '../../charts/format-value.ts';
import { labelOf } from '../../ui/field-labels.ts';

export type ThresholdType = AlertRecord['thresholdType'];
export type AlertState = AlertRecord['state'];

export const stateLabels: Record<AlertState, string> = {
  OK: 'OK',
  PENDING: 'Pending',
  ALERT: 'Firing',
  INSUFFICIENT_DATA: 'No data',
  DISABLED: 'Disabled',
};

export const reasonLabels: Record<EvaluationReason, string> = {
  error: 'Evaluation failed',
  given_up: 'Notification given up',
  failing: 'Notification failing, will be retried',
  queued: 'Notification queued',
  sent: 'Notification delivered',
  silenced: 'Notification suppressed: silenced',
  acknowledged: 'Not repeated: acknowledged',
  already_notified: 'Still firing, no new notification',
  pending: 'Waiting for more windows',
  no_data: 'No data',
  not_breaching: 'Within the threshold',
};

export const deliveryLabels: Record<AlertDeliveryRecord['state'], string> = {
  queued: 'Queued',
  delivered: 'Delivered',
  failing: 'Failing',
  given_up: 'Given up',
};

/** What became of the notifications of a window that did not all get through: `after 3 attempts: The receiver …`. */
export function deliveryProblem({ notifications }: AlertEvaluationRecord): string | undefined {
  const [problem] = notifications
    .filter(({ state }) => state === 'failing' || state === 'given_up')
    .toSorted((a, b) => Number(b.state === 'given_up') - Number(a.state === 'given_up'));
  if (!problem) return undefined;
  const { attempts, lastError } = problem;
  const tries = `after ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`;
  return lastError ? `${tries}: ${lastError}` : tries;
}

export const missingDataLabels: Record<NonNullable<AlertInput['missingData']>, string> = {
  zero: 'Counts as 0',
  noData: 'State becomes “No data”',
  keep: 'State stays the same',
  ok: 'Counts as OK',
  alert: 'Fires',
};

const ruleFields = [
  ...['source', 'dashboardId', 'tileId', 'savedSearchId', 'groupBy'],
  ...['threshold', 'thresholdType', 'thresholdMax', 'recoveryThreshold'],
  ...['interval', 'numConsecutiveWindows', 'missingData', 'repeatInterval', 'scheduleOffsetMinutes'],
  ...['channels', 'name', 'message', 'note', 'enabled'],
];

/** Fields of a rule, as the editor calls them. */
export const ruleLabels: Readonly<Record<string, string>> = Object.fromEntries(
  ruleFields.map((field) => [field, labelOf(field)]),
);

/** `≥ 5`, in the unit of what is watched. */
export function limitText(limit: Limit, format?: NumberFormat): string {
  return thresholdText(limit, (value) => written(value, format));
}

/** The whole rule as a sentence. */
export function ruleText(rule: AlertInput | AlertRecord, format?: NumberFormat): string {
  const windows = rule.numConsecutiveWindows ?? 1;
  const parts = [`Fires when the value is ${limitText(rule, format)}`];
  parts.push(windows > 1 ? `in ${windows} windows of ${rule.interval} in a row` : `in a window of ${rule.interval}`);
  if (rule.groupBy) parts.push(`for any ${rule.groupBy}`);
  const sentences = [`${parts.join(' ')}.`];
  if (typeof rule.recoveryThreshold === 'number') {
    sentences.push(`Resolves only when the value has also passed ${written(rule.recoveryThreshold, format)}.`);
  }
  if (rule.repeatInterval) sentences.push(`Repeats every ${rule.repeatInterval} while it fires.`);
  if (rule.missingData) sentences.push(`A window without data: ${missingDataLabels[rule.missingData].toLowerCase()}.`);
  return sentences.join(' ');
}

/** `fired once, 2 notifications`. */
export function outcomeText(firings: number, notifications: number): string {
  const fired = firings === 0 ? 'would not have fired' : firings === 1 ? 'fired once' : `fired ${firings} times`;
  const sent =
    notifications === 0
      ? 'no notifications'
      : notifications === 1
        ? '1 notification'
        : `${notifications} notifications`;
  return `${fired}, ${sent}.`;
}

const steps = [
  { unit: 'd', ms: 86_400_000 },
  { unit: 'h', ms: 3_600_000 },
  { unit: 'min', ms: 60_000 },
];

export function durationText(ms: number): string {
  const step = steps.find((candidate) => ms >= candidate.ms);
  return step ? `${Math.floor(ms / step.ms)} ${step.unit}` : `${Math.floor(ms / 1000)} s`;
}

/**
 * `format` is that of the tile that is watched. With the rule, a value that would read like a threshold is written with
 * all its digits, so that it shows on which side it is.
 */
export function valueText(value: number | null | undefined, format?: NumberFormat, rule?: Limit): string {
  if (value === null || value === undefined) return '–';
  const shown = format ? formatValue(value, format) : value.toLocaleString('en-US', { maximumSignificantDigits: 6 });
  const bounds = [rule?.threshold, rule?.thresholdMax].filter((bound) => typeof bound === 'number');
  const misleads = bounds.some((bound) => bound !== value && valueText(bound, format) === shown);
  return misleads ? `${shown} (${value.toLocaleString('en-US', { maximumSignificantDigits: 17 })})` : shown;
}

export function groupText(group: readonly { key: string; value: string }[]): string {
  return group.map(({ key, value }) => `${key} = ${value || '(empty)'}`).join(', ');
}

/** As it was given, thousands separated; in the unit of what is watched where that has one. */
function written(value: number, format: NumberFormat | undefined): string {
  if (format) return formatValue(value, format);
  return value.toLocaleString('en-US', { maximumFractionDigits: 20 });
}
