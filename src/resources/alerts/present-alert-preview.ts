import type { AlertPreviewRecord } from '../../contract/alert-preview.ts';
import type { Firing, PreviewedRule, PreviewedWindow } from '../../evaluator/ports.ts';
import type { AlertPreview } from './alert-preview-service.ts';

type Rule = Omit<AlertPreviewRecord, 'compare' | 'differences'>;
type Difference = NonNullable<AlertPreviewRecord['differences']>[number];

export function presentAlertPreview({ rule, compare }: AlertPreview): AlertPreviewRecord {
  if (!compare) return presentRule(rule);
  return {
    ...presentRule(rule),
    compare: presentRule(compare),
    differences: differencesOf(rule.windows, compare.windows),
  };
}

function presentRule({ windows, firings, notifications, grouped }: PreviewedRule): Rule {
  return {
    windows: windows.map(({ startMs, endMs, value, status }) => ({ start: startMs, end: endMs, value, state: status })),
    ...(grouped && { groups: presentGroups(firings) }),
    firings: firings.map(({ group, value, startedMs, endedMs }) => ({
      startedAt: startedMs,
      endedAt: endedMs ?? null,
      value,
      ...(group.length > 0 && { group: [...group] }),
    })),
    notifications,
  };
}

function presentGroups(firings: readonly Firing[]): NonNullable<Rule['groups']> {
  const groups = new Map<string, NonNullable<Rule['groups']>[number]>();
  for (const { group, startedMs, endedMs } of firings) {
    const key = JSON.stringify(group);
    const own = groups.get(key) ?? { group: [...group], firings: [] };
    own.firings.push({ start: startedMs, end: endedMs ?? null });
    groups.set(key, own);
  }
  return [...groups.values()];
}

/** A state holds from the end of its window to the end of the next; intervals of the two rules may differ. */
function differencesOf(rule: readonly PreviewedWindow[], compare: readonly PreviewedWindow[]): Difference[] {
  const changes = [
    ...rule.map(({ endMs, status }) => ({ atMs: endMs, side: 'alert' as const, fires: status === 'ALERT' })),
    ...compare.map(({ endMs, status }) => ({ atMs: endMs, side: 'compareTo' as const, fires: status === 'ALERT' })),
  ].sort((a, b) => a.atMs - b.atMs);
  const differences: Difference[] = [];
  const fires = { alert: false, compareTo: false };
  changes.forEach(({ atMs, side, fires: now }, index) => {
    fires[side] = now;
    const untilMs = changes[index + 1]?.atMs ?? atMs;
    if (untilMs === atMs || fires.alert === fires.compareTo) return;
    addStretch(differences, { start: atMs, end: untilMs, firing: fires.alert ? 'alert' : 'compareTo' });
  });
  return differences;
}

function addStretch(differences: Difference[], next: Difference): void {
  const last = differences.at(-1);
  if (last?.end === next.start && last.firing === next.firing) last.end = next.end;
  else differences.push(next);
}
