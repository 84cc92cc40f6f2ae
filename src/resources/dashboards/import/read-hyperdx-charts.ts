import { type ImportContext, NotTaken } from './import-context.ts';
import { placeOf, takenTiles } from './import-tiles.ts';
import { entryOf, integerOf, type JsonObject, objectsOf, picked, textOf } from './json-values.ts';

const columnsThen = 12;
const columnsNow = 24;

/**
 * The body of a dashboard of HyperDX's first API, whose `charts` name tables of events and metrics instead of sources,
 * on a grid of 12 columns.
 */
export function readHyperdxCharts(document: JsonObject, context: ImportContext): Record<string, unknown> {
  const charts = objectsOf(document.charts);
  const isNarrow = charts.every((chart) => (integerOf(chart.x) ?? 0) + (integerOf(chart.w) ?? 0) <= columnsThen);
  const scale = isNarrow ? columnsNow / columnsThen : 1;
  const tiles = takenTiles(charts, context, {
    nameOf: (chart) => textOf(chart.name),
    take: (chart, label) => ({
      name: textOf(chart.name),
      ...placeOf({ ...chart, x: scaled(chart.x, scale), w: scaled(chart.w, scale) }),
      ...(chart.asRatio === true && { asRatio: true }),
      series: objectsOf(chart.series).map((series) => seriesHere(series, context, label)),
    }),
  });
  if (textOf(document.query).trim() !== '') {
    context.leftOut(
      'Query',
      `The dashboard’s query ${JSON.stringify(document.query)} is in the first HyperDX’s language.`,
    );
  }
  return { ...picked(document, ['tags']), name: textOf(document.name), tiles };
}

function scaled(value: unknown, scale: number): number | undefined {
  const number = integerOf(value);
  return number === undefined ? undefined : number * scale;
}

const quantiles: Readonly<Record<string, number>> = { p50: 0.5, median: 0.5, p90: 0.9, p95: 0.95, p99: 0.99 };
const metricName = /^(.*) - (Gauge|Sum|Histogram)$/;
/** What the first version called the columns that every event has. */
const renamed: Readonly<Record<string, string>> = {
  level: 'SeverityText',
  service: 'ServiceName',
  body: 'Body',
  duration: 'Duration',
  span_name: 'SpanName',
};

function seriesHere(series: JsonObject, context: ImportContext, label: string): Record<string, unknown> {
  const type = textOf(series.type) || 'time';
  if (type === 'markdown') return { type, content: textOf(series.content) };
  const isMetric = series.table === 'metrics' || series.dataSource === 'metrics';
  const key = isMetric ? 'Metrics' : 'Logs';
  const source = { type, sourceId: context.source({ key }) };
  const where = whereHere(textOf(series.where), context, label);
  if (type === 'search') {
    const fields = Array.isArray(series.fields) ? series.fields.map((field) => columnHere(textOf(field))) : [];
    return { ...source, ...where, fields };
  }
  const field = textOf(series.field);
  const metric = isMetric ? metricName.exec(field) : null;
  if (isMetric && !metric && !series.metricDataType)
    throw new NotTaken(`The type of its metric ${JSON.stringify(field)} is not known.`);
  const groups = Array.isArray(series.groupBy) ? series.groupBy.map((group) => columnHere(textOf(group))) : [];
  return {
    ...source,
    ...aggregateHere(textOf(series.aggFn)),
    ...where,
    ...(metric
      ? { field: 'Value', metricName: metric[1], metricDataType: metric[2]?.toLowerCase() }
      : field !== '' && { field: columnHere(field) }),
    ...picked(series, ['metricDataType', 'displayType', 'sortOrder', 'numberFormat', 'alias']),
    groupBy: groups,
  };
}

function aggregateHere(aggFn: string): Record<string, unknown> {
  const level = entryOf(quantiles, aggFn);
  if (level !== undefined) return { aggFn: 'quantile', level };
  if (/_rate$|_per_(?:sec|min|hour)$/.test(aggFn)) {
    throw new NotTaken(`Its aggregate ${JSON.stringify(aggFn)} has no equal here; make it with the aggregate “rate”.`);
  }
  return { aggFn: aggFn || 'count' };
}

function columnHere(field: string): string {
  return entryOf(renamed, field) ?? field;
}

/** Only names of columns differ from today's Lucene. */
function whereHere(where: string, context: ImportContext, label: string): { where: string; whereLanguage: 'lucene' } {
  const now = where.replaceAll(/(^|[\s(-])(level|service|body|duration|span_name):/g, (whole, before, name) =>
    renamed[name] === undefined ? whole : `${before}${renamed[name]}:`,
  );
  if (now !== where) context.changed(label, `Its filter ${JSON.stringify(where)} is now ${JSON.stringify(now)}.`);
  return { where: now, whereLanguage: 'lucene' };
}
