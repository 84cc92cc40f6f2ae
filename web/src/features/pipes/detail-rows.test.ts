import { expect, it } from 'vitest';
import { detailRows } from './detail-rows.ts';

it('names every value by its path, plain lists in one row', () => {
  const source = { kafka: { brokers: 'a:9092', reversePrivateEndpointIds: ['x', 'y'], offset: { timestamp: 't' } } };
  expect(detailRows(source)).toEqual([
    { path: 'kafka.brokers', value: 'a:9092' },
    { path: 'kafka.reversePrivateEndpointIds', value: 'x, y' },
    { path: 'kafka.offset.timestamp', value: 't' },
  ]);
});

it('counts the entries of lists of objects, and leaves out what is absent', () => {
  const source = { postgres: { host: undefined, tableMappings: [{ sourceTable: 'a' }, { sourceTable: 'b' }] } };
  expect(detailRows(source)).toEqual([
    { path: 'postgres.tableMappings[0].sourceTable', value: 'a' },
    { path: 'postgres.tableMappings[1].sourceTable', value: 'b' },
  ]);
});

it('shows flags that are off and lists that are empty', () => {
  expect(detailRows({ isContinuous: false, excludedColumns: [] })).toEqual([
    { path: 'isContinuous', value: 'false' },
    { path: 'excludedColumns', value: 'none' },
  ]);
});
