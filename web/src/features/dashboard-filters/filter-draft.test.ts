import { describe, expect, it } from 'vitest';
import type { DashboardFilter } from '../../../../src/contract/dashboard-filter.ts';
import { changedFilter, newFilter, problemOf } from './filter-draft.ts';

const stored: DashboardFilter = {
  id: 'f1',
  type: 'QUERY_EXPRESSION',
  name: 'Metric',
  expression: 'MetricName',
  sourceId: 's1',
  sourceMetricType: 'gauge',
  where: 'a:b',
  whereLanguage: 'lucene',
  appliesToSourceIds: ['s2'],
  isBroadcastEnabled: true,
  isVariableEnabled: true,
  variableName: 'metric',
};

describe('a filter that is edited', () => {
  it('keeps what the form does not show', () => {
    expect(changedFilter(stored, {})).toEqual(stored);
    expect(changedFilter(stored, { name: 'Name' })).toEqual({ ...stored, name: 'Name' });
  });

  it('leaves out what is blank: absent stays absent (decisions D5)', () => {
    expect(changedFilter(stored, { where: ' ' })).not.toHaveProperty('where');
    expect(changedFilter(stored, { appliesToSourceIds: [] })).not.toHaveProperty('appliesToSourceIds');
  });

  it('is a variable only, or narrows tiles: what belongs to the other goes (contract §2.4)', () => {
    expect(changedFilter(stored, { isVariableEnabled: false })).not.toHaveProperty('variableName');
    expect(changedFilter(stored, { isBroadcastEnabled: false })).not.toHaveProperty('appliesToSourceIds');
    expect(changedFilter(stored, { variableName: '' })).not.toHaveProperty('variableName');
    expect(problemOf({ ...stored, variableName: '1x' })).toMatch('letters, digits and underscores');
  });

  it('loses the kind of metrics with its source', () => {
    expect(changedFilter(stored, { sourceId: 's3' })).not.toHaveProperty('sourceMetricType');
  });

  it('says what is missing', () => {
    expect(problemOf(stored)).toBeUndefined();
    expect(problemOf(newFilter('f2', 's1'))).toMatch('name');
    expect(problemOf({ ...stored, expression: '' })).toMatch('“Metric” needs a field');
    expect(problemOf({ ...stored, sourceId: '' })).toMatch('source');
  });
});
