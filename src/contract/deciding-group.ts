import type { AlertRecord } from './alert.ts';
import type { AlertEvaluationRecord } from './alert-log.ts';

type Group = AlertEvaluationRecord['groups'][number];
type State = AlertEvaluationRecord['state'];

/** The group that represents a window: in the decided state, and nearest to the threshold or beyond it. */
export function decidingGroup<G extends Pick<Group, 'state' | 'value'>>(
  { groups, state }: { groups: readonly G[]; state: State },
  { thresholdType }: Pick<AlertRecord, 'thresholdType'>,
): G | undefined {
  const inState = groups.filter((group) => group.state === state);
  const known = (inState.length > 0 ? inState : groups)
    .filter(({ value }) => value !== null)
    .toSorted((a, b) => (b.value ?? 0) - (a.value ?? 0));
  if (thresholdType.startsWith('above')) return known[0];
  if (thresholdType.startsWith('below')) return known.at(-1);
  return inState[0] ?? groups[0];
}
