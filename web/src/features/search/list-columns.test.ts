import { describe, expect, it } from 'vitest';
import { isSortable, nextOrderBy, sortOf } from './column-sort.ts';
import { columnTemplate } from './column-template.ts';
import {
  cellsOf,
  movedColumn,
  printColumns,
  readColumns,
  selectOfList,
  withColumn,
  withoutColumn,
} from './list-columns.ts';
import { logSource } from './testing.ts';

const read = (select: string) => readColumns(select, logSource);
const labels = (select: string) => read(select).map(({ label }) => label);

describe('columns of the list', () => {
  it('are the usual ones unless others are named', () => {
    expect(labels('')).toEqual(['Time', 'Severity', 'Service', 'Message']);
    expect(printColumns(read(''), logSource)).toBe('');
    expect(printColumns(read('Timestamp, SeverityText, ServiceName, Body'), logSource)).toBe('');
  });

  it.each([
    ["Timestamp, LogAttributes['http.route'], Body", ['Time', 'http.route', 'Message']],
    ["LogAttributes['it\\'s'], concat(Body, ', ') AS both", ["it's", 'both']],
    ['`odd name`, Body AS "What happened"', ['odd name', 'What happened']],
  ])('%s is read and printed as it is', (select, expected) => {
    expect(labels(select)).toEqual(expected);
    expect(printColumns(read(select), logSource)).toBe(select);
  });

  it('asks for what each line needs and for the fields besides', () => {
    const select = selectOfList(logSource, read("Body, LogAttributes['a'] AS x, ServiceName"));
    expect(select).toMatch(/^Timestamp AS sb_time, .*, LogAttributes\['a'\] AS sb_c0$/);
    expect(selectOfList(logSource, read(''))).not.toContain('sb_c');
  });

  it('keeps what it has read when columns only change places', () => {
    const [one, other] = [read("Body, TraceId, LogAttributes['a']"), read("LogAttributes['a'] AS x, TraceId, Body")];
    expect(selectOfList(logSource, one)).toBe(selectOfList(logSource, other));
    expect(cellsOf({ sb_c0: '1', sb_c1: 'ff', sb_text: 'b' }, other)).toEqual({
      "LogAttributes['a']": '1',
      TraceId: 'ff',
    });
  });

  it('are added once, removed and moved', () => {
    const columns = withColumn(read('Body, Timestamp'), 'TraceId', logSource);
    expect(printColumns(columns, logSource)).toBe('Body, Timestamp, TraceId');
    expect(withColumn(columns, 'TraceId', logSource)).toEqual(columns);
    expect(printColumns(movedColumn(columns, 'TraceId', -1), logSource)).toBe('Body, TraceId, Timestamp');
    expect(movedColumn(columns, 'TraceId', 1)).toEqual(columns);
    expect(movedColumn(columns, 'Body', -1)).toEqual(columns);
    expect(printColumns(withoutColumn(columns, 'Timestamp'), logSource)).toBe('Body, TraceId');
  });

  it('have the width that was chosen; the message takes what is left, else the last one', () => {
    expect(columnTemplate(read('Timestamp, Body, TraceId'), { TraceId: 90 }).template).toBe(
      '216px minmax(240px, 1fr) 90px',
    );
    expect(columnTemplate(read('Body, TraceId'), { Body: 400 }).template).toBe('400px minmax(160px, 1fr)');
  });
});

describe('order of the list', () => {
  const [time, , service] = read('');
  if (!time || !service) throw new Error('the usual columns have a time and a service');

  it('is newest first, which no text says', () => {
    expect(sortOf(time, '', logSource)).toBe('descending');
    expect(sortOf(service, '', logSource)).toBe('none');
    expect(sortOf(time, '', { ...logSource, orderByExpression: 'ServiceName' })).toBe('none');
  });

  it('goes round with each click', () => {
    const clicks = (column: typeof time) => {
      const orders = [''];
      for (let click = 0; click < 3; click++) orders.push(nextOrderBy(column, orders.at(-1) ?? '', logSource));
      return orders.slice(1);
    };
    expect(clicks(service)).toEqual(['ServiceName ASC', 'ServiceName DESC', '']);
    expect(clicks(time)).toEqual(['Timestamp ASC', '', 'Timestamp ASC']);
  });

  it('is read from what others wrote', () => {
    expect(sortOf(service, 'ServiceName desc, Timestamp', logSource)).toBe('descending');
    expect(sortOf(service, 'ServiceName', logSource)).toBe('ascending');
    expect(sortOf(service, 'Timestamp, ServiceName', logSource)).toBe('none');
  });

  it('is one of columns of the table', () => {
    const sortable = (expression: string) => isSortable({ expression });
    expect(['Body', '`odd name`', "LogAttributes['a']", 'lower(Body)'].map(sortable)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});
