import { type ImportContext, NotTaken } from '../import-context.ts';
import { entryOf, integerOf, type JsonObject, objectOf, objectsOf, textOf } from '../json-values.ts';
import { type StatementVariable, statementHere, tablesOf } from './grafana-sql.ts';
import { formatOfUnit, isKnownUnit } from './grafana-units.ts';

export interface PanelContext {
  context: ImportContext;
  variables: ReadonlyMap<string, StatementVariable>;
  dataSources: ReadonlyMap<string, string>;
  label: string;
}

const displays: Readonly<Record<string, string>> = {
  timeseries: 'line',
  graph: 'line',
  stat: 'number',
  singlestat: 'number',
  gauge: 'number',
  table: 'table',
  'table-old': 'table',
  logs: 'table',
  piechart: 'pie',
  'grafana-piechart-panel': 'pie',
  bargauge: 'bar',
  barchart: 'bar',
};

/** The `config` of each of a panel's statements. Throws `NotTaken`. */
export function panelConfigs(panel: JsonObject, deps: PanelContext): object[] {
  const { context, label } = deps;
  const type = textOf(panel.type);
  if (panel.libraryPanel) throw new NotTaken('It is a library panel, whose content is not in the file.');
  if (type === 'text') {
    const { mode, content }: JsonObject = { ...panel, ...objectOf(panel.options) };
    if (mode === 'html') context.changed(label, 'Its HTML is shown as Markdown.');
    return [{ displayType: 'markdown', markdown: textOf(content) }];
  }
  const drawn = entryOf(displays, type);
  const displayType = drawn === 'line' ? displayOfLines(panel) : drawn;
  if (displayType === undefined)
    throw new NotTaken(`There is no display for panels of the type ${JSON.stringify(type)}.`);
  const queries = objectsOf(panel.targets).filter(({ hide }) => hide !== true);
  const statements = queries.filter(
    (target) => textOf(target.rawSql).trim() !== '' && isClickHouse(panel, target, deps),
  );
  if (statements.length === 0) throw new NotTaken('It has no SQL statement for ClickHouse.');
  if (queries.length > statements.length) {
    context.leftOut(label, 'Queries of other data sources, and expressions, are not taken over.');
  }
  noteLooks(panel, deps);
  return statements.map((target) => ({
    configType: 'sql',
    displayType,
    connectionId: connectionOf(panel, target, deps),
    ...statementOf(textOf(target.rawSql), deps),
    ...formatOf(panel),
    ...interpolationOf(panel, displayType),
  }));
}

function statementOf(sql: string, { context, variables }: PanelContext): object {
  const [main] = tablesOf(sql);
  const sourceId = main === undefined ? undefined : context.sourceIfKnown({ key: main, isOptional: true });
  const source = context.known.sources.find(({ id }) => id === sourceId);
  const tableText = (table: string) => {
    const bare = table.split('.').at(-1) ?? table;
    if (!source?.tables.includes(bare)) return table;
    const metric = /_(gauge|sum|histogram|summary|exponential_histogram)$/.exec(bare)?.[1];
    return source.kind === 'metric' && metric ? `$__sourceTable(${metric.replace('_', ' ')})` : '$__sourceTable';
  };
  return { ...(sourceId !== undefined && { sourceId }), sqlTemplate: statementHere(sql, { variables, tableText }) };
}

function displayOfLines(panel: JsonObject): string {
  const custom = customOf(panel);
  const stacking = textOf(objectOf(custom.stacking).mode);
  if (custom.drawStyle === 'bars' || panel.bars === true) return 'stacked_bar';
  return (stacking !== '' && stacking !== 'none') || panel.stack === true ? 'stacked_line' : 'line';
}

function customOf({ fieldConfig }: JsonObject): JsonObject {
  return objectOf(objectOf(objectOf(fieldConfig).defaults).custom);
}

const interpolations: Readonly<Record<string, string>> = {
  smooth: 'smooth',
  stepAfter: 'step',
  stepBefore: 'step',
};

function interpolationOf(panel: JsonObject, displayType: string): object {
  const lineInterpolation = entryOf(interpolations, textOf(customOf(panel).lineInterpolation));
  const hasLines = displayType === 'line' || displayType === 'stacked_line';
  return hasLines && lineInterpolation !== undefined ? { lineInterpolation } : {};
}

const plugins = new Set(['grafana-clickhouse-datasource']);

function isClickHouse(panel: JsonObject, target: JsonObject, { dataSources }: PanelContext): boolean {
  const source = target.datasource ?? panel.datasource;
  const { type, uid } = objectOf(source);
  const named = nameInVariable(textOf(uid) || textOf(source));
  const plugin = textOf(type) || (named === undefined ? '' : (dataSources.get(named) ?? ''));
  // What names no plugin has the statement of one.
  return plugin === '' || plugin.startsWith('$') || plugins.has(plugin);
}

function nameInVariable(text: string): string | undefined {
  return /^\$\{?(\w+)\}?$/.exec(text)?.[1];
}

function connectionOf(panel: JsonObject, target: JsonObject, { context }: PanelContext): string {
  const source = target.datasource ?? panel.datasource;
  const key = textOf(objectOf(source).uid) || textOf(source) || 'default';
  return context.connection({ key, name: nameInVariable(key) ?? key });
}

function formatOf(panel: JsonObject): object {
  const defaults = objectOf(objectOf(panel.fieldConfig).defaults);
  const numberFormat = formatOfUnit(textOf(defaults.unit), integerOf(defaults.decimals));
  return numberFormat ? { numberFormat } : {};
}

/** What a panel has that a tile has not. */
function noteLooks(panel: JsonObject, { context, label }: PanelContext): void {
  const { defaults, overrides } = objectOf(panel.fieldConfig);
  const fields = objectOf(defaults);
  const unit = textOf(fields.unit);
  if (!isKnownUnit(unit))
    context.changed(label, `Its unit ${JSON.stringify(unit)} is not known here; numbers are plain.`);
  const custom = customOf(panel);
  if (objectOf(custom.stacking).mode === 'percent') {
    context.changed(label, 'Its stack of percentages is drawn as a stack of the values.');
  }
  if (custom.lineInterpolation === 'stepBefore') {
    context.changed(label, 'Its steps before each value are drawn after it.');
  }
  const lost = [
    objectsOf(panel.transformations).length > 0 ? 'transformations' : '',
    objectsOf(overrides).length > 0 ? 'overrides of fields' : '',
    objectsOf(objectOf(fields.thresholds).steps).length > 1 ? 'thresholds' : '',
    objectsOf(fields.mappings).length > 0 ? 'value mappings' : '',
    objectsOf(fields.links).length + objectsOf(panel.links).length > 0 ? 'links' : '',
    textOf(panel.repeat) !== '' ? 'repetition by a variable' : '',
    textOf(panel.timeFrom) + textOf(panel.timeShift) !== '' ? 'a time range that differs from the dashboard’s' : '',
    panel.alert ? 'alert' : '',
  ].filter((part) => part !== '');
  if (lost.length > 0) context.leftOut(label, `Not taken over: ${lost.join(', ')}.`);
}
