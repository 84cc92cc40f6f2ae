import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Dashboard } from '../../../src/contract/dashboard.ts';
import type { DashboardExport, DashboardImportPreview } from '../../../src/contract/dashboard-import.ts';
import {
  connection,
  logSource,
  metricSource,
  otherConnection,
  traceSource,
} from '../../../src/resources/dashboards/testing.ts';
import { DashboardApi, flavours, hex24, withoutIds } from './dashboard-api.ts';

const fixture = (name: string): Record<string, unknown> =>
  JSON.parse(readFileSync(new URL(`imports/${name}.json`, import.meta.url), 'utf8'));

describe.each(flavours)('dashboards of elsewhere, %s', (flavour) => {
  const previewOf = async (api: DashboardApi, body: object) =>
    api.unwrap(await api.send('POST', '/dashboards/import/preview', { body })) as DashboardImportPreview;

  async function importOf(api: DashboardApi, body: object): Promise<Dashboard> {
    return api.unwrap(await api.send('POST', '/dashboards/import', { body })) as Dashboard;
  }

  // biome-ignore lint/suspicious/noTemplateCurlyInString: as statements write it
  const service = '${service}';
  const notesOf = ({ notes }: DashboardImportPreview) => notes.map(({ subject, message }) => `${subject}: ${message}`);
  const configOf = (preview: DashboardImportPreview, name: string) =>
    preview.dashboard?.tiles.find((tile) => tile.name === name)?.config;

  it.each([
    [{}, { displayType: 'line' }],
    [{ drawStyle: 'line', lineInterpolation: 'linear' }, { displayType: 'line' }],
    [{ lineInterpolation: 'smooth' }, { displayType: 'line', lineInterpolation: 'smooth' }],
    [{ lineInterpolation: 'stepAfter' }, { displayType: 'line', lineInterpolation: 'step' }],
    [{ stacking: { mode: 'none' } }, { displayType: 'line' }],
    [{ stacking: { mode: 'normal' } }, { displayType: 'stacked_line' }],
    [
      { stacking: { mode: 'percent' }, lineInterpolation: 'stepBefore' },
      { displayType: 'stacked_line', lineInterpolation: 'step' },
      'Tile “T”: Its stack of percentages is drawn as a stack of the values.',
      'Tile “T”: Its steps before each value are drawn after it.',
    ],
    [{ drawStyle: 'bars', lineInterpolation: 'smooth' }, { displayType: 'stacked_bar' }],
  ])('lines of Grafana that are drawn as %j', async (custom, expected, ...notes) => {
    const api = new DashboardApi(flavour);
    const document = {
      title: 'Lines',
      panels: [
        {
          ...{ type: 'timeseries', title: 'T', gridPos: { x: 0, y: 0, w: 12, h: 8 } },
          targets: [{ rawSql: 'SELECT $__timeInterval(Timestamp) AS t, count() FROM otel_logs GROUP BY t' }],
          fieldConfig: { defaults: { custom }, overrides: [] },
        },
      ],
      schemaVersion: 39,
    };
    const preview = await previewOf(api, { document, mapping: { connections: { default: connection } } });
    const { displayType, lineInterpolation } = configOf(preview, 'T') as Record<string, unknown>;
    expect({ displayType, ...(lineInterpolation !== undefined && { lineInterpolation }) }).toEqual(expected);
    expect(notesOf(preview)).toEqual(notes);
  });

  it('HyperDX’s pages: sources by name, conditions of the whole chart, and a report of the rest', async () => {
    const api = new DashboardApi(flavour);
    const request = { document: fixture('hyperdx-pages'), mapping: { connections: { Warehouse: connection } } };
    const preview = await previewOf(api, request);
    expect(preview).toMatchObject({
      format: 'hyperdx',
      errors: [],
      dashboard: { name: 'Payments', tags: ['payments'] },
    });
    expect(preview.references.map(({ kind, name, uses, id }) => [kind, name, uses, id])).toEqual([
      ['source', 'Traces', 2, traceSource],
      ['source', 'Logs', 6, logSource],
      ['connection', 'Warehouse', 1, connection],
      ['source', 'Metrics', 1, metricSource],
      ['source', 'Hosts of old', 2, null],
      ['source', 'traces', 1, traceSource],
    ]);
    expect(configOf(preview, 'Failed')).toEqual({
      ...{ displayType: 'stacked_bar', sourceId: traceSource, groupBy: 'ServiceName, SpanName' },
      alignDateRangeToGranularity: true,
      select: [
        {
          ...{ aggFn: 'count', valueExpression: '', alias: 'failed', whereLanguage: 'lucene' },
          where: '(SpanKind:Server) AND (StatusCode:Error)',
        },
        {
          ...{ aggFn: 'quantile', level: 0.9, valueExpression: 'Duration', whereLanguage: 'lucene' },
          where: 'SpanKind:Server',
        },
      ],
    });
    expect(configOf(preview, 'p95')).toMatchObject({ color: 'chart-red', colorRules: [{ color: 'chart-error' }] });
    expect(configOf(preview, 'Messages')).toMatchObject({
      orderBy: 'count DESC',
      onClick: { target: { mode: 'id', id: logSource } },
    });
    expect(configOf(preview, 'By hand')).toMatchObject({
      configType: 'sql',
      connectionId: connection,
      sourceId: logSource,
    });
    expect(configOf(preview, 'CPU')).toMatchObject({ select: [{ metricType: 'gauge', metricName: 'cpu' }] });
    expect(preview.dashboard?.tiles.map(({ name, containerId, tabId }) => [name, containerId, tabId])).toContainEqual([
      ...['Failed', 'errors', 'one'],
    ]);
    expect(preview.dashboard?.filters?.map(({ name, sourceId }) => [name, sourceId])).toEqual([
      ['Service', traceSource],
    ]);
    expect(notesOf(preview)).toEqual([
      'Tile “p95”: Its alert is not taken over; make a new one.',
      'Tile “p95”: Its granularity 5 minute is chosen for the whole dashboard here.',
      expect.stringMatching(/^Tile “p95”: Its condition "SpanKind:Server" could not be combined/),
      'Tile “Of another source”: Its source “Hosts of old” is not mapped to a source here.',
      'Tile “Unheard of”: Its display "hologram" is not known here.',
      'Filter “Host”: Its source “Hosts of old” is not mapped to a source here.',
      expect.stringMatching(/^Tile “No item”: config.select: must have at least 1/),
    ]);
    expect(api.dashboards.writes).toBe(0);
  });

  it('HyperDX’s pages: a mapping brings in what was missing, and import stores what preview shows', async () => {
    const api = new DashboardApi(flavour);
    const sources = { 'Hosts of old': logSource };
    const request = {
      document: fixture('hyperdx-pages'),
      mapping: { sources, connections: { Warehouse: otherConnection } },
      name: 'Here',
    };
    const preview = await previewOf(api, request);
    // Its source is of the other connection.
    expect(notesOf(preview)).toContain(
      'Tile “By hand”: config.sourceId: belongs to another connection than connectionId',
    );
    const made = await importOf(api, request);
    expect(made).toMatchObject({ name: 'Here', id: expect.stringMatching(hex24) });
    expect(made.tiles.map(({ name }) => name)).toContain('Of another source');
    expect(preview.dashboard && withoutIds(preview.dashboard)).toEqual(withoutIds(made));
    expect(await api.get(made.id)).toEqual(made);
  });

  it('Grafana: panels become tiles of raw SQL in sections, with macros, variables and units', async () => {
    const api = new DashboardApi(flavour);
    const preview = await previewOf(api, {
      document: fixture('grafana'),
      mapping: { connections: { '${ds}': connection, '${DS_CH}': connection, 'clickhouse-live': connection } },
    });
    expect(preview).toMatchObject({ format: 'grafana', errors: [], dashboard: { name: 'Checkout in Grafana' } });
    expect(preview.dashboard?.containers).toEqual([
      { id: 'row-1', title: 'Spans', collapsed: false },
      { id: 'row-2', title: 'Tables', collapsed: true },
    ]);
    expect(preview.dashboard?.filters).toEqual([
      {
        ...{ id: expect.any(String), type: 'QUERY_EXPRESSION', name: 'Service', expression: 'ServiceName' },
        ...{ sourceId: logSource, isBroadcastEnabled: false, isVariableEnabled: true, variableName: 'service' },
      },
    ]);
    expect(configOf(preview, 'Lines a second')).toEqual({
      ...{ configType: 'sql', displayType: 'number', connectionId: connection, sourceId: logSource },
      numberFormat: { output: 'throughput', numericUnit: 'rps', mantissa: 1 },
      sqlTemplate: `SELECT count() / dateDiff('second', $__fromTime, $__toTime) AS value FROM $__sourceTable WHERE $__timeFilter(Timestamp) AND $__filter(ServiceName, ${service})`,
    });
    expect(preview.dashboard?.tiles[0]?.description).toBe('Of all levels');
    const statements = new Map(
      preview.dashboard?.tiles.map(({ name, config }) => [
        name,
        config && 'sqlTemplate' in config && config.sqlTemplate,
      ]),
    );
    expect(configOf(preview, 'Lines by level')).toMatchObject({ displayType: 'stacked_bar' });
    expect(statements.get('Lines by level')).toContain(
      `FROM $__sourceTable WHERE $__timeFilter(Timestamp) AND $__filter(ServiceName, ${service})`,
    );
    expect(statements.get('Latency A')).toContain('INTERVAL 60 SECOND');
    expect(statements.get('Latency A')).toContain(`$__conditionalAll($__filter(ServiceName, ${service}), ${service})`);
    expect(statements.get('Latency B')).toContain('count() * 1000 / ($__interval_s * 1000) AS rate');
    expect(statements.get('Slowest spans')).toContain(
      'fromUnixTimestamp64Milli(toUnixTimestamp64Milli($__fromTime_ms))',
    );
    expect(statements.get('Gauges')).toContain('FROM $__sourceTable(gauge)');
    const places = preview.dashboard?.tiles.map(({ name, x, y, w, h, containerId }) => [name, x, y, w, h, containerId]);
    expect(places).toEqual([
      ['Lines a second', 0, 0, 6, 4, undefined],
      ['', 6, 0, 6, 4, undefined],
      ['Lines by level', 12, 0, 12, 8, undefined],
      ['Latency A', 0, 0, 6, 8, 'row-1'],
      ['Latency B', 6, 0, 6, 8, 'row-1'],
      ['Slowest spans', 0, 0, 24, 8, 'row-2'],
      ['Gauges', 0, 8, 8, 8, 'row-2'],
    ]);
    expect(notesOf(preview)).toEqual([
      'Variable “bucket”: It always is "60" here.',
      'Variable “host”: Its values are not those of one column, and none is chosen in the file.',
      'Variable “Filters”: Filters by any column are what the dashboard’s search and filters are here.',
      'Tile “Lines a second”: Not taken over: thresholds.',
      'Tile “Latency”: Queries of other data sources, and expressions, are not taken over.',
      'Tile “Latency”: It has 2 queries, each of which is a tile here.',
      'Tile “Slowest spans”: Not taken over: transformations, overrides of fields, links.',
      'Tile “From Prometheus”: It has no SQL statement for ClickHouse.',
      'Tile “Map”: There is no display for panels of the type "geomap".',
      'Tile “Rate interval”: Its statement uses $__rate_interval, for which there is no macro here.',
      'Tile “Shared”: It is a library panel, whose content is not in the file.',
      'Annotations: There are none here.',
    ]);
  });

  it('the first HyperDX API: charts on twelve columns, tables and aggregates of then', async () => {
    const preview = await previewOf(new DashboardApi(flavour), { document: fixture('hyperdx-charts') });
    expect(preview).toMatchObject({
      format: 'hyperdx-charts',
      errors: [],
      dashboard: { name: 'Of the first API', tags: ['old'] },
    });
    expect(preview.dashboard?.tiles.map(({ name, x, w, series }) => [name, x, w, series?.[0]])).toEqual([
      [
        'Errors',
        0,
        12,
        expect.objectContaining({
          sourceId: logSource,
          where: 'SeverityText:error ServiceName:"cart"',
          groupBy: ['ServiceName'],
        }),
      ],
      ['p95', 12, 12, expect.objectContaining({ aggFn: 'quantile', level: 0.95, field: 'Duration' })],
      [
        'CPU',
        0,
        24,
        expect.objectContaining({
          sourceId: metricSource,
          metricName: 'system.cpu.utilization',
          metricDataType: 'gauge',
        }),
      ],
      ['Notes', 0, 24, { type: 'markdown', content: '# Notes' }],
      ['Lines', 0, 24, expect.objectContaining({ type: 'search', fields: ['SeverityText', 'Body'] })],
    ]);
    expect(notesOf(preview).map((note) => note.split(':')[0])).toEqual(['Tile “Errors”', 'Tile “Rate”']);
  });

  it('an export names what it refers to, and is the same dashboard anywhere', async () => {
    const api = new DashboardApi(flavour);
    const linked = await api.create({ name: 'Linked' });
    const onClick = { type: 'dashboard', target: { mode: 'id', id: linked.id } };
    const config = { displayType: 'table', sourceId: logSource, select: [{ aggFn: 'count' }], onClick };
    const made = await api.create({
      ...{ name: 'Exported', tags: ['x'], containers: [{ id: 'c', title: 'C', collapsed: true }] },
      filters: [{ type: 'QUERY_EXPRESSION', name: 'S', expression: 'ServiceName', sourceId: traceSource }],
      tiles: [
        { name: 'a', x: 0, y: 0, w: 8, h: 4, containerId: 'c', config },
        {
          name: 'b',
          x: 8,
          y: 0,
          w: 8,
          h: 4,
          series: [{ type: 'time', sourceId: metricSource, aggFn: 'avg', field: 'cpu', where: '', groupBy: [] }],
        },
        {
          name: 'c',
          x: 0,
          y: 4,
          w: 8,
          h: 4,
          config: { configType: 'sql', displayType: 'number', connectionId: connection, sqlTemplate: 'SELECT 1' },
        },
      ],
    });
    const exported = api.unwrap(await api.send('GET', `/dashboards/${made.id}/export`)) as DashboardExport;
    expect(exported).toEqual({
      ...made,
      references: {
        sources: [
          { id: logSource, name: 'Logs', kind: 'log' },
          { id: traceSource, name: 'Traces', kind: 'trace' },
          { id: metricSource, name: 'Metrics', kind: 'metric' },
        ],
        connections: [{ id: connection, name: 'Default' }],
        dashboards: [{ id: linked.id, name: 'Linked' }],
      },
    });
    expect(withoutIds(await importOf(api, { document: exported }))).toEqual(withoutIds(made));

    // As another installation would have written it, with ids that say nothing here.
    const foreign = JSON.parse(
      JSON.stringify(exported)
        .replaceAll(/"([ac])0{22}(\d)"/g, `"$1${'e'.repeat(22)}$2"`)
        .replaceAll(linked.id, 'd'.repeat(24)),
    );
    const elsewhere = new DashboardApi(flavour);
    const preview = await previewOf(elsewhere, {
      document: foreign,
      mapping: { connections: { [`c${'e'.repeat(22)}1`]: connection } },
    });
    expect(preview.notes).toEqual([]);
    const target = { mode: 'template', template: 'Linked' };
    const tiles = made.tiles.map(({ id: _id, ...tile }) => tile);
    expect(preview.dashboard && withoutIds(preview.dashboard)).toMatchObject({
      tiles: [{ ...tiles[0], config: { ...config, onClick: { ...onClick, target } } }, tiles[1], tiles[2]],
      filters: [{ sourceId: traceSource }],
    });
  });

  it.each([
    ['text', 'a', 'must be a JSON object'],
    ['a list', [], 'must be a JSON object'],
    ['any object', { a: 1 }, 'neither “tiles”'],
    ['old rows of Grafana', { title: 'x', rows: [] }, 'Grafana dashboard without “panels”'],
    ['Grafana’s second model', { spec: { elements: {} } }, 'classic model'],
    [
      'one of which nothing can be taken',
      { title: 'x', panels: [{ type: 'geomap', title: 'Map' }] },
      'No tile can be taken over. Tile “Map”',
    ],
    ['one without a name', { panels: [] }, 'name: must not be empty'],
    [
      'one with sections of one id',
      {
        name: 'x',
        tiles: [],
        containers: [
          { id: 'a', title: 'a', collapsed: true },
          { id: 'a', title: 'a', collapsed: true },
        ],
      },
      'containers.1.id',
    ],
  ])('%s is no dashboard', async (_title, document, reason) => {
    const api = new DashboardApi(flavour);
    const answer = await api.send('POST', '/dashboards/import', { body: { document } });
    expect([answer.status, api.errorText(answer)]).toEqual([400, expect.stringContaining(reason)]);
    expect(api.dashboards.writes).toBe(0);
  });

  it('the export of what does not exist is 404', async () => {
    const api = new DashboardApi(flavour);
    expect((await api.send('GET', `/dashboards/${'f'.repeat(24)}/export`)).status).toBe(404);
  });
});
