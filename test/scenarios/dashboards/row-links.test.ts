import { describe, expect, it } from 'vitest';
import { connection, logSource } from '../../../src/resources/dashboards/testing.ts';
import { DashboardApi, flavours } from './dashboard-api.ts';

const builder = { displayType: 'table', sourceId: logSource, select: [{ aggFn: 'count' }], groupBy: 'ServiceName' };
const statement = { displayType: 'table', configType: 'sql', connectionId: connection, sqlTemplate: 'SELECT 1' };
const search = { type: 'search', target: { mode: 'id', id: logSource } };
const value = (template: string) => [{ kind: 'expressionTemplate', expression: 'ServiceName', template }];

describe.each(flavours)('links of table rows, %s', (flavour) => {
  it.each([
    ['a search', { ...search, whereTemplate: 'ServiceName:"{{ServiceName}}"', filters: value('{{ServiceName}}') }],
    ['a name in the row', { ...search, target: { mode: 'template', template: '{{[source name]}}' } }],
    ['an address', { type: 'external', urlTemplate: 'https://wiki.example/{{encodeURIComponent ServiceName}}' }],
    ['an address of the row', { type: 'external', urlTemplate: '{{url}}' }],
  ])('to %s are stored', async (_title, onClick) => {
    const api = new DashboardApi(flavour);
    for (const config of [builder, statement]) {
      const { id } = await api.create({ name: 'd', tiles: [{ config: { ...config, onClick } }] });
      expect((await api.get(id)).tiles[0]).toMatchObject({ config: { onClick } });
    }
  });

  it.each([
    ['urlTemplate: must begin with https://', { type: 'external', urlTemplate: 'javascript:alert(1)' }],
    ['urlTemplate: {{ is not closed', { type: 'external', urlTemplate: 'https://a/{{b' }],
    ['whereTemplate: can’t read {{#if a}}', { ...search, whereTemplate: '{{#if a}}' }],
    ['target.template: can’t read', { ...search, target: { mode: 'template', template: '{{a b}}' } }],
    ['filters.0.template: default needs', { ...search, filters: value('{{default a}}') }],
  ])('with %s are rejected', async (reason, onClick) => {
    const api = new DashboardApi(flavour);
    for (const config of [builder, statement]) {
      const answer = await api.tryCreate({ name: 'd', tiles: [{ config: { ...config, onClick } }] });
      expect([answer.status, api.errorText(answer)]).toEqual([
        api.invalidStatus,
        expect.stringContaining(`tiles.0.config.onClick.${reason}`),
      ]);
    }
    expect(api.dashboards.writes).toBe(0);
  });
});
