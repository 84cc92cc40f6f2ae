import { describe, expect, it } from 'vitest';
import { sourceKinds } from '../../../../src/contract/source.ts';
import { draftOf, groupsOfKind, isComplete, newDraft, valueAt, withValue } from './source-draft.ts';

const home = { connection: 'c1', databaseName: 'otel' };

describe('source drafts', () => {
  it.each(['log', 'trace', 'metric'] as const)('starts %s complete for the tables of OpenTelemetry', (kind) => {
    expect(isComplete(newDraft(kind, home))).toBe(true);
  });

  it.each(sourceKinds)('has a field for the database of %s', (kind) => {
    expect(groupsOfKind[kind].flatMap(({ fields }) => fields.map(({ path }) => path))).toContain('from.databaseName');
  });

  it('changes one field and leaves the rest, also what no field shows', () => {
    const draft = { ...newDraft('log', home), querySettings: [{ setting: 's', value: 'v' }] };
    const next = withValue(draft, 'from.tableName', 'other');
    expect(valueAt(next, 'from.tableName')).toBe('other');
    expect(valueAt(next, 'from.databaseName')).toBe('otel');
    expect(next.querySettings).toBe(draft.querySettings);
    expect(valueAt(draft, 'from.tableName')).toBe('otel_logs');
  });

  it('leaves out what is emptied, but not the empty table of metrics', () => {
    expect(withValue(newDraft('log', home), 'bodyExpression', '')).not.toHaveProperty('bodyExpression');
    expect(newDraft('metric', home)).toMatchObject({ from: { tableName: '' } });
  });

  it('copies all but the id', () => {
    const record = { id: 'x', ...newDraft('promql', home), disabled: false, querySettings: [] };
    const copy = draftOf(record as never, 'Copy');
    expect(copy).not.toHaveProperty('id');
    expect(copy).toMatchObject({ name: 'Copy', connection: 'c1' });
  });

  it('is incomplete without what is required', () => {
    expect(isComplete(withValue(newDraft('trace', home), 'spanIdExpression', ''))).toBe(false);
  });
});
