import { type ImportContext, NotTaken } from './import-context.ts';
import { isObject, type JsonObject, objectsOf, picked, textOf } from './json-values.ts';
import { takenClick } from './taken-click.ts';

const shared = [
  'numberFormat',
  'alignDateRangeToGranularity',
  'seriesLimit',
  'compareToPreviousPeriod',
  'fitYAxisToData',
  'lineInterpolation',
];
const built = [
  ...shared,
  'having',
  'limit',
  'formulas',
  'showOperandSeries',
  'groupByColumnsOnLeft',
  'backgroundChart',
];
const withItems = new Set(['line', 'stacked_bar', 'stacked_line', 'table', 'number', 'pie', 'bar']);

/** The `config` that API clients write, from the one that HyperDX's pages store. Throws `NotTaken`. */
export function hyperdxConfig(config: JsonObject, context: ImportContext, label: string): Record<string, unknown> {
  const displayType = textOf(config.displayType) || 'line';
  if (displayType === 'markdown') return { displayType, markdown: textOf(config.markdown) };
  if (isFixedGranularity(config.granularity)) {
    context.changed(label, `Its granularity ${config.granularity} is chosen for the whole dashboard here.`);
  }
  const looks = {
    ...(typeof config.fillNulls === 'boolean' && { fillNulls: config.fillNulls }),
    ...coloursOf(config),
    ...takenClick(config.onClick, context),
  };
  if (config.configType === 'sql' || typeof config.sqlTemplate === 'string') {
    return {
      ...{ configType: 'sql', displayType, connectionId: context.connection({ key: textOf(config.connection) }) },
      ...(textOf(config.source) !== '' && { sourceId: context.source({ key: textOf(config.source) }) }),
      sqlTemplate: textOf(config.sqlTemplate),
      ...picked(config, shared),
      ...looks,
    };
  }
  if (config.configType !== undefined && config.configType !== 'builder') {
    throw new NotTaken(`Its queries are of the type ${JSON.stringify(config.configType)}, which is not known here.`);
  }
  const source = { displayType, sourceId: context.source({ key: textOf(config.source) }) };
  const where = { where: textOf(config.where), whereLanguage: languageOf(config.whereLanguage) };
  const select = typeof config.select === 'string' ? config.select : undefined;
  if (displayType === 'search' || (displayType === 'table' && select !== undefined)) {
    return { ...source, displayType: 'search', select: select ?? '', ...where };
  }
  if (displayType === 'event_patterns') return { ...source, ...(select !== undefined && { select }), ...where };
  if (displayType === 'heatmap') {
    const cells = objectsOf(config.select).map((item) =>
      picked(item, ['valueExpression', 'countExpression', 'heatmapScaleType']),
    );
    return { ...source, select: cells, ...where, ...picked(config, ['numberFormat']) };
  }
  if (!withItems.has(displayType)) throw new NotTaken(`Its display ${JSON.stringify(displayType)} is not known here.`);
  return {
    ...source,
    select: objectsOf(config.select).map((item) => itemOf(item, where, { context, label })),
    ...(config.seriesReturnType === 'ratio' && { asRatio: true }),
    ...listText('groupBy', config.groupBy),
    ...listText('orderBy', config.orderBy),
    ...picked(config, built),
    ...looks,
  };
}

interface Noting {
  context: ImportContext;
  label: string;
}

interface Where {
  where: string;
  whereLanguage: 'lucene' | 'sql';
}

/** An aggregate; joined with the condition of the whole chart. */
function itemOf(item: JsonObject, whole: Where, { context, label }: Noting): Record<string, unknown> {
  const own = { where: textOf(item.aggCondition), whereLanguage: languageOf(item.aggConditionLanguage) };
  const condition = both(own, whole);
  if (!condition)
    context.changed(
      label,
      `Its condition ${JSON.stringify(whole.where)} could not be combined with the one of a series, which is in another language.`,
    );
  return {
    ...picked(item, ['aggFn', 'valueExpression', 'level', 'alias', 'metricType', 'metricName', 'numberFormat']),
    ...(condition ?? own),
    // It changes nothing about other metrics there.
    ...(item.isDelta === true && item.metricType === 'gauge' && { periodAggFn: 'delta' }),
  };
}

function both(own: Where, whole: Where): Where | undefined {
  if (whole.where.trim() === '') return own;
  if (own.where.trim() === '') return whole;
  if (own.whereLanguage !== whole.whereLanguage) return undefined;
  return { where: `(${whole.where}) AND (${own.where})`, whereLanguage: own.whereLanguage };
}

function languageOf(value: unknown): 'lucene' | 'sql' {
  return value === 'sql' ? 'sql' : 'lucene';
}

function isFixedGranularity(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value !== 'auto';
}

/** Expressions as one text: HyperDX stores a text, or a list of expressions. */
function listText(key: string, value: unknown): Record<string, string> {
  if (typeof value === 'string') return value.trim() === '' ? {} : { [key]: value };
  const parts = (Array.isArray(value) ? value : []).map((part) =>
    isObject(part) ? [textOf(part.valueExpression), textOf(part.ordering)].join(' ').trim() : textOf(part),
  );
  const text = parts.filter((part) => part !== '').join(', ');
  return text === '' ? {} : { [key]: text };
}

const numbered = ['green', 'blue', 'orange', 'red', 'cyan', 'pink', 'purple', 'light-blue', 'brown', 'gray'];

/** A colour by the name that it has by now (contract §2.2). */
function colourOf(value: unknown): unknown {
  const number = /^chart-(\d+)$/.exec(textOf(value))?.[1];
  return number === undefined ? value : `chart-${numbered[Number(number) - 1] ?? number}`;
}

function coloursOf({ color, colorRules }: JsonObject): Record<string, unknown> {
  const rules = objectsOf(colorRules).map((rule) => ({ ...rule, color: colourOf(rule.color) }));
  return { ...(color !== undefined && { color: colourOf(color) }), ...(rules.length > 0 && { colorRules: rules }) };
}
