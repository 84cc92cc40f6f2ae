import { describe, expect, it } from 'vitest';
import {
  connection,
  logSource,
  metricSource,
  otherConnection,
  sessionSource,
  traceSource,
} from '../../../src/resources/dashboards/testing.ts';
import { DashboardApi, flavours, missingId } from './dashboard-api.ts';

const count = { aggFn: 'count', valueExpression: '', where: '', whereLanguage: 'lucene' };
const max = { aggFn: 'max', valueExpression: 'Duration', alias: 'slowest' };
const line = { displayType: 'line', sourceId: logSource, select: [count] };
const number = { displayType: 'number', sourceId: logSource, select: [count] };
const table = { displayType: 'table', sourceId: logSource, select: [count] };
const sql = { configType: 'sql', connectionId: connection, sqlTemplate: 'SELECT 1' };
const red = { operator: 'gt', value: 5, color: 'chart-red' };

const accepted: [string, object][] = [
  [
    'line',
    {
      ...line,
      select: [count, max],
      groupBy: 'ServiceName',
      asRatio: true,
      fillNulls: false,
      seriesLimit: 0,
      fitYAxisToData: true,
    },
  ],
  ['stacked line', { ...line, displayType: 'stacked_line', seriesLimit: 5, lineInterpolation: 'smooth' }],
  ['stacked bar', { ...line, displayType: 'stacked_bar', seriesLimit: 5, alignDateRangeToGranularity: false }],
  ['table', { ...table, groupBy: 'a', having: 'count() > 1', orderBy: 'a desc', groupByColumnsOnLeft: true }],
  [
    'number with colours',
    {
      ...number,
      color: 'chart-blue',
      colorRules: [
        red,
        { operator: 'between', value: [1, 2], color: 'chart-green' },
        { operator: 'eq', value: 'x', color: 'chart-gray', label: 'l' },
      ],
    },
  ],
  ['number with background', { ...number, backgroundChart: { type: 'area', color: 'chart-red' } }],
  ['pie', { ...table, displayType: 'pie', orderBy: 'count() desc', limit: 3 }],
  ['bar', { ...table, displayType: 'bar' }],
  [
    'heatmap',
    {
      displayType: 'heatmap',
      sourceId: traceSource,
      select: [{ valueExpression: 'Duration', heatmapScaleType: 'log' }],
    },
  ],
  ['search', { displayType: 'search', sourceId: logSource, select: '', where: 'level:error', whereLanguage: 'lucene' }],
  ['event patterns', { displayType: 'event_patterns', sourceId: logSource }],
  ['markdown', { displayType: 'markdown', markdown: '# hi' }],
  ['select item without where', { ...line, select: [{ aggFn: 'count' }] }],
  [
    'quantile of a metric',
    {
      ...line,
      sourceId: metricSource,
      select: [{ aggFn: 'quantile', level: 0.95, valueExpression: 'Value', metricType: 'histogram', metricName: 'm' }],
    },
  ],
  [
    'formula',
    {
      ...line,
      select: [count, max],
      formulas: [{ expression: '(A / -B) * 100.5', alias: 'r' }],
      showOperandSeries: false,
    },
  ],
  ['number with operands', { ...number, select: [count, max], formulas: [{ expression: 'A/B' }] }],
  ['external link', { ...table, onClick: { type: 'external', urlTemplate: 'https://x/{{a}}' } }],
  [
    'search link',
    {
      ...table,
      onClick: {
        type: 'search',
        target: { mode: 'id', id: traceSource },
        filters: [{ kind: 'expressionTemplate', expression: 'a', template: '{{a}}' }],
      },
    },
  ],
  ['template link', { ...table, onClick: { type: 'dashboard', target: { mode: 'template', template: '{{a}}' } } }],
  ['unknown keys', { ...line, own: { deep: [null, 1] }, select: [{ ...count, own: 1 }] }],
  ...['line', 'stacked_bar', 'stacked_line', 'table', 'number', 'pie', 'bar'].map((displayType): [string, object] => [
    `raw SQL ${displayType}`,
    { displayType, ...sql, sourceId: logSource },
  ]),
];

const refused: [string, object, string][] = [
  ['no display type', { sourceId: logSource }, 'config.displayType: must be one of line, stacked_bar'],
  ['unknown display type', { displayType: 'gauge' }, 'config.displayType: must be one of line, stacked_bar'],
  ['line without source', { displayType: 'line', select: [count] }, 'config.sourceId: is required'],
  [
    'unknown interpolation',
    { ...line, lineInterpolation: 'stepBefore' },
    'config.lineInterpolation: must be one of linear, step, smooth',
  ],
  ['empty select', { ...line, select: [] }, 'config.select: must have at least 1 item'],
  ['unknown aggregate', { ...line, select: [{ aggFn: 'median' }] }, 'config.select.0.aggFn: must be one of'],
  [
    'aggregate without value',
    { ...line, select: [{ aggFn: 'max' }] },
    'config.select.0.valueExpression: is required for max',
  ],
  ['unknown source', { ...line, sourceId: missingId }, `config.sourceId: there is no source "${missingId}"`],
  [
    'unknown connection',
    { displayType: 'line', ...sql, connectionId: missingId },
    'config.connectionId: there is no connection',
  ],
  [
    'source of another connection',
    { displayType: 'line', ...sql, connectionId: otherConnection, sourceId: logSource },
    'belongs to another connection',
  ],
  [
    'heatmap of logs',
    { displayType: 'heatmap', sourceId: logSource, select: [{ valueExpression: 'a' }] },
    'needs a source of kind trace, not log',
  ],
  [
    'formula over sessions',
    { ...line, sourceId: sessionSource, formulas: [{ expression: 'A' }] },
    'a formula needs a source of kind',
  ],
  [
    'formula with a missing operand',
    { ...line, formulas: [{ expression: 'A/B' }] },
    'config.formulas.0.expression: there is no B; there is only A (at position 2)',
  ],
  ['formula that is none', { ...line, formulas: [{ expression: 'A +' }] }, 'found the end (at position 3)'],
  [
    'formula of more signs than a chart reads',
    { ...line, formulas: [{ expression: `${'-'.repeat(65)}A` }] },
    'config.formulas.0.expression: is nested more than 64 deep (at position 64)',
  ],
  [
    'formula with asRatio',
    { ...line, select: [count, max], asRatio: true, formulas: [{ expression: 'A' }] },
    'cannot be combined with asRatio',
  ],
  [
    'two formulas on a number',
    { ...number, formulas: [{ expression: 'A' }, { expression: 'A' }] },
    'must be exactly one for a number',
  ],
  ['several values on a number', { ...number, select: [count, max] }, 'config.select: must be exactly one item'],
  ['a ratio of one', { ...line, asRatio: true }, 'config.asRatio: needs exactly two'],
  ['a colour that is no token', { ...number, color: 'red' }, 'config.color: must be one of chart-blue'],
  ['a former colour', { ...number, color: 'chart-1' }, 'config.color: must be one of chart-blue'],
  ['11 colour rules', { ...number, colorRules: Array(11).fill(red) }, 'config.colorRules: must have at most 10'],
  [
    'between one number',
    { ...number, colorRules: [{ ...red, operator: 'between' }] },
    'colorRules.0.value: must be an array',
  ],
  [
    'text for a numeric operator',
    { ...number, colorRules: [{ ...red, value: 'x' }] },
    'colorRules.0.value: must be a number',
  ],
  [
    'a text operator',
    { ...number, colorRules: [{ ...red, operator: 'regex' }] },
    'colorRules.0.operator: must be one of gt',
  ],
  [
    'a label of 41 characters',
    { ...number, colorRules: [{ ...red, label: 'x'.repeat(41) }] },
    'label: must have at most 40',
  ],
  ['a background without type', { ...number, backgroundChart: {} }, 'backgroundChart.type: is required'],
  [
    'a link to a metric source',
    { ...table, onClick: { type: 'search', target: { mode: 'id', id: metricSource } } },
    'a search needs a source',
  ],
  [
    'a link to an unknown dashboard',
    { ...table, onClick: { type: 'dashboard', target: { mode: 'id', id: missingId } } },
    'there is no dashboard',
  ],
];

describe.each(flavours)('config tiles (contract §2.2), %s', (flavour) => {
  it.each(accepted)('%s comes back as it was written, from POST and from PUT', async (_title, config) => {
    const api = new DashboardApi(flavour);
    const created = await api.create({ name: 'd', tiles: [{ name: 't', config }] });
    expect(created.tiles[0]?.config).toEqual(config);
    const updated = await api.put(created.id, { tiles: [{ name: 'u', config }] });
    expect((await api.get(created.id)).tiles).toEqual(updated.tiles);
    expect(updated.tiles[0]).toEqual({ ...updated.tiles[0], config });
  });

  it.each(refused)('rejects %s on POST and PUT', async (_title, config, reason) => {
    const api = new DashboardApi(flavour);
    const { id } = await api.create({ name: 'd' });
    const body = { name: 'd', tiles: [{ config }] };
    for (const answer of [await api.tryCreate(body), await api.tryPut(id, body)]) {
      expect([answer.status, api.errorText(answer)]).toEqual([api.invalidStatus, expect.stringContaining(reason)]);
      expect(api.errorText(answer)).toContain('tiles.0.config');
    }
    expect(api.dashboards.writes).toBe(1);
  });

  it('a link to an existing dashboard is accepted', async () => {
    const api = new DashboardApi(flavour);
    const { id } = await api.create({ name: 'target' });
    const onClick = { type: 'dashboard', target: { mode: 'id', id } };
    const { tiles } = await api.create({ name: 'd', tiles: [{ config: { ...table, onClick } }] });
    expect(tiles[0]?.config).toEqual({ ...table, onClick });
  });
});
