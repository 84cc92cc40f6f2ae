import { beforeAll, expect, it } from 'vitest';
import { CreateDashboardSchema } from '../../../src/contract/dashboard.ts';
import { aggregateFunctions, type MetricDataType, metricDataTypes } from '../../../src/contract/series.ts';
import type { TileAnswer } from '../../../src/contract/tile-query.ts';
import { bodyCheck } from '../../../src/http/schema-check.ts';
import { ChartApi, hourMs, minuteMs, t0 } from './chart-api.ts';
import { insertRows, startStore } from './telemetry-rows.ts';

interface Made {
  kind: string;
  tile: object;
}

let api: ChartApi;
let sources: Record<'log' | 'trace' | 'metric', string>;
let connectionId: string;

beforeAll(async () => {
  const engine = await startStore();
  const event = (minute: number) => ({ ServiceName: `s${minute % 3}`, ResourceAttributes: { host: `h${minute % 2}` } });
  const minutes = Array.from({ length: 30 }, (_, index) => index * 4);
  await insertRows(
    engine.client,
    'otel.otel_logs',
    minutes.map((minute) => ({
      TimestampMs: t0 + minute * minuteMs,
      Body: `line ${minute}`,
      SeverityText: 'info',
      ...event(minute),
    })),
  );
  await insertRows(
    engine.client,
    'otel.otel_traces',
    minutes.map((minute) => ({
      TimestampMs: t0 + minute * minuteMs,
      Duration: minute,
      SpanName: 'GET',
      ...event(minute),
    })),
  );
  await insertRows(
    engine.client,
    'otel.otel_metrics_gauge',
    minutes.map((minute) => ({ TimeUnixMs: t0 + minute * minuteMs, MetricName: 'm', Value: minute, ServiceName: 's' })),
  );
  api = await ChartApi.over({ runner: engine.queryRunner, schemas: engine.tableSchemas });
  sources = {
    log: await api.sourceId('log'),
    trace: await api.sourceId('trace'),
    metric: await api.sourceId('metric'),
  };
  connectionId = await api.connectionId();
});

const timeDisplays = ['line', 'stacked_bar', 'stacked_line'] as const;
const rowDisplays = ['table', 'number', 'pie', 'bar'] as const;
const displays = [...timeDisplays, ...rowDisplays];
type Display = (typeof displays)[number];

const filters = [{}, { where: 'ServiceName:s1' }, { where: "ServiceName = 's1'", whereLanguage: 'sql' }];
const field = { log: 'length(Body)', trace: 'Duration' } as const;
/** What the aggregate is of: `none` is an expression of aggregates. */
const fieldOf = (aggFn: string, source: 'log' | 'trace') =>
  aggFn === 'none' ? `sum(${field[source]}) / count()` : field[source];
/** Of counters only. */
const ofMetrics = new Set<string>(['increase', 'rate']);
const ofEvents = aggregateFunctions.filter((aggFn) => !ofMetrics.has(aggFn));
/** What is known of a metric of the type. */
const ofType: Record<MetricDataType, readonly string[]> = {
  gauge: ['avg', 'last_value', 'quantile'],
  sum: ['sum', 'quantile', ...ofMetrics],
  histogram: ['quantile', 'count', 'sum', 'avg'],
  summary: ['quantile', 'count', 'sum', 'avg'],
  'exponential histogram': ['quantile', 'count', 'sum', 'avg'],
};
const isPlain = (aggFn: string) => aggFn !== 'any' && aggFn !== 'none';
const kindOf = (form: string, display: string, aggFn: string) =>
  isPlain(aggFn) ? `${form} ${display}` : `${form} aggFn ${aggFn}`;

/** What a display's form of the contract may have beside its query. */
const options: Record<Display, object[]> = {
  line: [
    { groupBy: 'ServiceName', seriesLimit: 2 },
    { compareToPreviousPeriod: true, fillNulls: false },
    { fitYAxisToData: true },
  ],
  stacked_line: [{ groupBy: 'ServiceName', lineInterpolation: 'step' }, { lineInterpolation: 'smooth' }],
  stacked_bar: [{ groupBy: 'ServiceName' }, { fillNulls: false, alignDateRangeToGranularity: false }],
  table: [
    { groupBy: "ServiceName, ResourceAttributes['host']", groupByColumnsOnLeft: true },
    { orderBy: 'ServiceName', groupBy: 'ServiceName' },
  ],
  number: [{ color: 'chart-red' }, { backgroundChart: { type: 'area' } }],
  pie: [{ groupBy: 'ServiceName', limit: 2 }],
  bar: [{ groupBy: 'ServiceName', orderBy: 'ServiceName' }],
};

function builderTiles(): Made[] {
  const made: Made[] = [];
  for (const source of ['log', 'trace'] as const) {
    for (const display of displays) {
      ofEvents.forEach((aggFn, index) => {
        const filter = filters[index % filters.length];
        const item = { aggFn, ...filter, ...(aggFn === 'count' ? {} : { valueExpression: fieldOf(aggFn, source) }) };
        const extra = options[display][index % options[display].length];
        const config = { displayType: display, sourceId: sources[source], select: [item], ...extra };
        made.push({ kind: kindOf('builder', display, aggFn), tile: { config } });
      });
    }
  }
  for (const metricType of metricDataTypes) {
    for (const display of displays) {
      for (const aggFn of ofType[metricType]) {
        const select = [{ aggFn, metricType, metricName: 'm', valueExpression: 'Value' }];
        const config = { displayType: display, sourceId: sources.metric, select };
        made.push({ kind: `builder ${display}`, tile: { config } });
      }
    }
  }
  const calculated: [MetricDataType, string][] = [
    ['gauge', 'Value * 100'],
    ['sum', 'Value / 1024'],
  ];
  for (const display of displays) {
    for (const [metricType, valueExpression] of calculated) {
      const select = [{ aggFn: 'sum', metricType, metricName: 'm', valueExpression }];
      const config = { displayType: display, sourceId: sources.metric, select };
      made.push({ kind: `builder ${display}`, tile: { config } });
    }
    const select = [
      { aggFn: 'max', metricType: 'gauge', metricName: 'm', valueExpression: 'Value', periodAggFn: 'delta' },
    ];
    made.push({
      kind: `builder ${display}`,
      tile: { config: { displayType: display, sourceId: sources.metric, select } },
    });
  }
  const two = [{ aggFn: 'count' }, { aggFn: 'sum', valueExpression: 'Duration' }];
  for (const display of [...timeDisplays, 'table', 'number'] as const) {
    const formulas = [{ expression: 'B / A' }];
    const config = { displayType: display, sourceId: sources.trace, select: two };
    made.push({ kind: `builder ${display}`, tile: { config: { ...config, formulas } } });
    if (display !== 'number') made.push({ kind: `builder ${display}`, tile: { config: { ...config, asRatio: true } } });
  }
  return made;
}

function otherBuilderTiles(): Made[] {
  const search = { displayType: 'search', sourceId: sources.log, select: 'Timestamp, Body' };
  const heatmap = { displayType: 'heatmap', sourceId: sources.trace, select: [{ valueExpression: 'Duration' }] };
  const cells = [{ heatmapScaleType: 'log' }, { heatmapScaleType: 'linear', countExpression: 'avg(Duration)' }];
  return [
    ...cells.map((cell) => ({
      kind: 'builder heatmap',
      tile: { config: { ...heatmap, select: [{ valueExpression: 'Duration', ...cell }] } },
    })),
    {
      kind: 'builder event_patterns',
      tile: { config: { displayType: 'event_patterns', sourceId: sources.trace, select: 'upper(SpanName)' } },
    },
    ...filters.flatMap((filter) => [
      { kind: 'builder search', tile: { config: { ...search, ...filter } } },
      { kind: 'builder heatmap', tile: { config: { ...heatmap, ...filter } } },
      {
        kind: 'builder event_patterns',
        tile: { config: { displayType: 'event_patterns', sourceId: sources.log, ...filter } },
      },
    ]),
    { kind: 'builder markdown', tile: { config: { displayType: 'markdown', markdown: '# a' } } },
    { kind: 'builder markdown', tile: { config: { displayType: 'markdown' } } },
  ];
}

function seriesTiles(): Made[] {
  const made: Made[] = [];
  for (const type of [undefined, 'time', 'table', 'number', 'histogram'] as const) {
    ofEvents.forEach((aggFn, index) => {
      const item = { aggFn, where: '', ...filters[index % filters.length], groupBy: ['ServiceName'] };
      const series = [
        {
          ...item,
          ...(type && { type }),
          sourceId: sources.trace,
          ...(aggFn === 'count' ? {} : { field: fieldOf(aggFn, 'trace') }),
        },
      ];
      made.push({ kind: kindOf('series', type ?? 'time', aggFn), tile: { series } });
    });
  }
  const search = { type: 'search', sourceId: sources.log, where: '', fields: ['Body'] };
  return [
    ...made,
    { kind: 'series search', tile: { series: [search] } },
    { kind: 'series markdown', tile: { series: [{ type: 'markdown', content: 'a' }] } },
  ];
}

function sqlTiles(): Made[] {
  const overTime =
    'SELECT $__timeInterval(Timestamp) AS ts, ServiceName, count() AS n FROM $__sourceTable WHERE $__timeFilter(Timestamp) AND $__filters GROUP BY ts, ServiceName';
  const inRows = 'SELECT ServiceName, count() AS n FROM otel_logs WHERE $__timeFilter(Timestamp) GROUP BY ServiceName';
  const extras = [{}, { numberFormat: { output: 'byte' } }, { sourceId: undefined }];
  return displays.flatMap((display) =>
    extras.map((extra, index) => {
      const isOverTime = timeDisplays.some((each) => each === display);
      const template = isOverTime ? overTime : inRows;
      // Without a source there is no table of it.
      const sqlTemplate =
        index === 2 ? template.replace('$__sourceTable', 'otel_logs').replace(' AND $__filters', '') : template;
      const config = {
        configType: 'sql',
        displayType: display,
        connectionId,
        sourceId: sources.log,
        sqlTemplate,
        ...extra,
      };
      return { kind: `sql ${display}`, tile: JSON.parse(JSON.stringify({ config })) as object };
    }),
  );
}

it('of 200 tiles and more of every config type and display type, each is answered and none is unsupported', async () => {
  const made = [...builderTiles(), ...otherBuilderTiles(), ...seriesTiles(), ...sqlTiles()];
  expect(made.length).toBeGreaterThanOrEqual(200);
  const tiles = made.map(({ tile }, index) => ({ name: `${index}`, ...tile }));
  expect(bodyCheck(CreateDashboardSchema)({ name: 'all', tiles: tiles.slice(0, 500) })).toEqual([]);
  const failed: unknown[] = [];
  for (let at = 0; at < made.length; at += 50) {
    const part = made.slice(at, at + 50);
    const answer = await api.send('POST', '/charts/tiles', {
      body: {
        ...{ startTime: t0, endTime: t0 + 2 * hourMs, granularity: '10m' },
        tiles: part.map(({ tile }, index) => ({ ref: String(at + index), tile })),
      },
    });
    const answers = (answer.json as { data: TileAnswer[] }).data;
    expect(answers).toHaveLength(part.length);
    for (const { ref, error } of answers) if (error) failed.push({ ...made[Number(ref)], error });
  }
  expect(failed).toEqual([]);
  const kinds = new Set(made.map(({ kind }) => kind));
  const drawn = [...displays, 'search', 'heatmap', 'event_patterns', 'markdown'];
  const all = [...drawn.map((display) => `builder ${display}`), ...displays.map((display) => `sql ${display}`)];
  expect([...kinds]).toEqual(expect.arrayContaining(all));
});
