import { describe, expect, it } from 'vitest';
import { attributeEntries, findEntries, groupEntries } from './attribute-entries.ts';

const event = {
  Timestamp: '2026-11-28T06:07:41.863000000Z',
  Body: 'hello',
  TraceId: '',
  SeverityNumber: 9,
  LogAttributes: { b: '2', "it's": '1' },
  'Events.Name': ['exception'],
  'Links.SpanId': [],
};

describe('attributeEntries', () => {
  it('names columns and keys of maps in both languages, without empty ones', () => {
    expect(attributeEntries(event).map(({ field, value }) => [field.name, field.sql, value])).toEqual([
      ['Timestamp', 'Timestamp', '2026-11-28T06:07:41.863000000Z'],
      ['Body', 'Body', 'hello'],
      ['SeverityNumber', 'SeverityNumber', '9'],
      ['LogAttributes.b', "LogAttributes['b']", '2'],
      ["LogAttributes.it's", "LogAttributes['it\\'s']", '1'],
      ['Events.Name', 'Events.Name', '["exception"]'],
    ]);
  });

  it('does not offer lists and times as filters', () => {
    const filterable = attributeEntries(event).filter((each) => each.filterable);
    expect(filterable.map(({ field }) => field.name)).not.toContain('Timestamp');
    expect(filterable.map(({ field }) => field.name)).not.toContain('Events.Name');
  });

  it('are grouped by map, under their own name', () => {
    const groups = groupEntries(attributeEntries(event)).map(([group, lines]) => [
      group,
      lines.map(({ label }) => label),
    ]);
    expect(groups).toEqual([
      ['', ['Timestamp', 'Body', 'SeverityNumber', 'Events.Name']],
      ['LogAttributes', ['b', "it's"]],
    ]);
  });

  it('is found by name or value', () => {
    expect(findEntries(attributeEntries(event), 'HELLO').map(({ field }) => field.name)).toEqual(['Body']);
    expect(findEntries(attributeEntries(event), '.b').map(({ field }) => field.name)).toEqual(['LogAttributes.b']);
  });
});
