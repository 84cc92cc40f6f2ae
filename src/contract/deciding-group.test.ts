import { expect, it } from 'vitest';
import { decidingGroup } from './deciding-group.ts';

const group = (name: string, value: number | null, state: 'OK' | 'ALERT' = 'OK') => ({
  group: [{ key: 'ServiceName', value: name }],
  value,
  state,
});
const groups = [group('a', 3), group('b', 9), group('c', 12, 'ALERT'), group('d', null)];

it('is the one nearest to the threshold among those in the state that was decided', () => {
  const nameOf = (state: 'OK' | 'ALERT', thresholdType: 'above' | 'below' | 'equal') =>
    decidingGroup({ groups, state }, { thresholdType })?.group[0]?.value;
  expect(nameOf('OK', 'above')).toBe('b');
  expect(nameOf('ALERT', 'above')).toBe('c');
  expect(nameOf('OK', 'below')).toBe('a');
  expect(nameOf('OK', 'equal')).toBe('a');
  expect(decidingGroup({ groups: [], state: 'OK' }, { thresholdType: 'above' })).toBeUndefined();
});
