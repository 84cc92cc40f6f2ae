import type { ImportContext } from '../import-context.ts';
import { type JsonObject, objectOf, objectsOf, textOf } from '../json-values.ts';
import type { StatementVariable } from './grafana-sql.ts';

export interface GrafanaVariables {
  variables: ReadonlyMap<string, StatementVariable>;
  filters: object[];
  /** Plugin of the data source by the name of the variable that stands for it. */
  dataSources: ReadonlyMap<string, string>;
}

const distinctValues =
  /^\s{0,200}SELECT\s{1,20}DISTINCT\s{1,20}(.{1,2000}?)(?:\s{1,20}AS\s{1,20}\w{1,200})?\s{1,20}FROM\s{1,20}([\w.`"]{1,400})/is;
const variableName = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;

/** The variables of a dashboard: those that list the values of a column are filters here, the others have one value. */
export function grafanaVariables(document: JsonObject, context: ImportContext): GrafanaVariables {
  const variables = new Map<string, StatementVariable>();
  const dataSources = new Map<string, string>();
  const filters: object[] = [];
  for (const input of objectsOf(document.__inputs)) {
    if (input.type === 'datasource') dataSources.set(textOf(input.name), textOf(input.pluginId));
    if (input.type === 'constant') variables.set(textOf(input.name), { kind: 'fixed', values: [textOf(input.value)] });
  }
  for (const variable of objectsOf(objectOf(document.templating).list)) {
    const name = textOf(variable.name);
    const label = `Variable “${name}”`;
    if (variable.type === 'datasource') {
      dataSources.set(name, textOf(variable.query));
      continue;
    }
    const filter = variable.type === 'query' ? filterOf(variable, context) : undefined;
    if (filter) {
      filters.push(filter);
      variables.set(name, { kind: 'variable', name });
      continue;
    }
    if (variable.type === 'adhoc') {
      context.changed(label, 'Filters by any column are what the dashboard’s search and filters are here.');
      continue;
    }
    const values = currentValues(variable);
    if (values.length === 0) {
      context.leftOut(label, 'Its values are not those of one column, and none is chosen in the file.');
      continue;
    }
    variables.set(name, { kind: 'fixed', values });
    context.changed(label, `It always is ${values.map((value) => JSON.stringify(value)).join(', ')} here.`);
  }
  return { variables, filters, dataSources };
}

function filterOf(variable: JsonObject, context: ImportContext): object | undefined {
  const name = textOf(variable.name);
  const query = isText(variable.query)
    ? variable.query
    : textOf(objectOf(variable.query).rawSql) || textOf(objectOf(variable.query).query);
  const [, expression = '', table = ''] = distinctValues.exec(query || textOf(variable.definition)) ?? [];
  if (expression === '' || /,(?![^(]*\))/.test(expression) || !variableName.test(name)) return undefined;
  const key = table.replaceAll(/[`"]/g, '');
  const sourceId = context.sourceIfKnown({ key });
  if (sourceId === undefined) {
    context.leftOut(`Variable “${name}”`, `Its table “${key}” is not mapped to a source here.`);
    return undefined;
  }
  return {
    ...{ type: 'QUERY_EXPRESSION', name: textOf(variable.label) || name, expression: expression.trim(), sourceId },
    ...{ isBroadcastEnabled: false, isVariableEnabled: true, variableName: name },
  };
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

const everything = '$__all';

/** What is chosen in the file; of all, every value that the file lists. */
function currentValues(variable: JsonObject): string[] {
  const isPlain = variable.type === 'constant' || variable.type === 'textbox';
  const current = objectOf(variable.current).value ?? (isPlain ? variable.query : undefined);
  const values = (Array.isArray(current) ? current : [current]).filter(isText);
  if (!values.includes(everything)) return values.filter((value) => value !== '');
  return objectsOf(variable.options)
    .map((option) => textOf(option.value))
    .filter((value) => value !== everything && value !== '');
}
