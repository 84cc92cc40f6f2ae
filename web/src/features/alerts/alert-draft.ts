import type { AlertInput } from '../../../../src/contract/alert.ts';
import { isRange } from '../../../../src/contract/threshold-text.ts';
import type { ThresholdType } from './alert-labels.ts';

/** The editor's fields: texts where a field may be empty. */
export interface AlertDraft {
  dashboardId: string | null;
  tileId: string | null;
  savedSearchId: string | null;
  groupBy: string;
  thresholdType: ThresholdType;
  threshold: number | string;
  thresholdMax: number | string;
  recoveryThreshold: number | string;
  interval: string;
  numConsecutiveWindows: number | string;
  missingData: NonNullable<AlertInput['missingData']> | null;
  repeatInterval: string;
  scheduleOffsetMinutes: number | string;
  webhookIds: string[];
  name: string;
  message: string;
  note: string;
}

export function draftOf(rule: Partial<AlertInput>): AlertDraft {
  return {
    dashboardId: rule.dashboardId ?? null,
    tileId: rule.tileId ?? null,
    savedSearchId: rule.savedSearchId ?? null,
    groupBy: rule.groupBy ?? '',
    thresholdType: rule.thresholdType ?? 'above',
    threshold: rule.threshold ?? '',
    thresholdMax: rule.thresholdMax ?? '',
    recoveryThreshold: rule.recoveryThreshold ?? '',
    interval: rule.interval ?? '5m',
    numConsecutiveWindows: rule.numConsecutiveWindows ?? '',
    missingData: rule.missingData ?? null,
    repeatInterval: rule.repeatInterval ?? '',
    scheduleOffsetMinutes: rule.scheduleOffsetMinutes ?? '',
    webhookIds: [...new Set((rule.channels ?? []).map(({ webhookId }) => webhookId))],
    name: rule.name ?? '',
    message: rule.message ?? '',
    note: rule.note ?? '',
  };
}

/**
 * The rule of a draft; `undefined` while what it watches or its threshold is missing. `stored` gives what the editor has
 * no field for: other keys, and those of channels (severity).
 */
export function ruleOf(draft: AlertDraft, stored: Partial<AlertInput> = {}): AlertInput | undefined {
  const { dashboardId, tileId, savedSearchId, groupBy, thresholdType, interval, missingData, webhookIds } = draft;
  const onTile = savedSearchId === null;
  if (typeof draft.threshold !== 'number' || (onTile && !(dashboardId && tileId))) return undefined;
  const kept = (stored.channels ?? []).filter(({ webhookId }) => webhookIds.includes(webhookId));
  const added = [...new Set(webhookIds)].filter((id) => !kept.some(({ webhookId }) => webhookId === id));
  const channels = [...kept, ...added.map((webhookId) => ({ type: 'webhook' as const, webhookId }))];
  return {
    ...(stored.scheduleStartAt ? { scheduleStartAt: stored.scheduleStartAt } : {}),
    ...(stored.enabled === undefined ? {} : { enabled: stored.enabled }),
    ...(stored.displayName ? { displayName: stored.displayName } : {}),
    ...(stored.tags ? { tags: stored.tags } : {}),
    ...(stored.detectionMode ? { detectionMode: stored.detectionMode } : {}),
    source: onTile ? 'tile' : 'saved_search',
    ...(onTile ? { dashboardId, tileId } : { savedSearchId, ...text('groupBy', groupBy) }),
    threshold: draft.threshold,
    thresholdType,
    interval,
    ...(isRange(thresholdType)
      ? number('thresholdMax', draft.thresholdMax)
      : number('recoveryThreshold', draft.recoveryThreshold)),
    ...number('numConsecutiveWindows', draft.numConsecutiveWindows),
    ...number('scheduleOffsetMinutes', draft.scheduleOffsetMinutes),
    ...(missingData ? { missingData } : {}),
    ...text('repeatInterval', draft.repeatInterval),
    ...text('name', draft.name),
    ...text('message', draft.message),
    ...text('note', draft.note),
    ...(channels.length > 0 ? { channels } : {}),
  };
}

/** Without a threshold yet: what is watched, whose values can be drawn. `undefined` while that is missing. */
export function watchedRuleOf(draft: AlertDraft, stored: Partial<AlertInput> = {}): AlertInput | undefined {
  return ruleOf({ ...draft, threshold: 0, recoveryThreshold: '', thresholdType: 'above' }, stored);
}

/** What is still missing of a rule that can be saved, as a sentence; `undefined` if nothing is. */
export function missingText(draft: AlertDraft): string | undefined {
  const watches = draft.savedSearchId !== null || (draft.dashboardId && draft.tileId);
  const missing = [
    ...(watches ? [] : ['what to watch']),
    ...(typeof draft.threshold === 'number' ? [] : ['a threshold']),
    ...(draft.webhookIds.length > 0 ? [] : ['a channel']),
  ];
  if (missing.length === 0) return undefined;
  return `Still to choose: ${missing.join(', ')}.`;
}

function number(key: keyof AlertInput, value: number | string): Partial<AlertInput> {
  return typeof value === 'number' ? { [key]: value } : {};
}

function text(key: keyof AlertInput, value: string): Partial<AlertInput> {
  return value.trim() === '' ? {} : { [key]: value };
}
