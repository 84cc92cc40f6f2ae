import type { PipeSourceGuess } from '../../contract/pipe-source.ts';
import { quoteName } from '../../kernel/sql-quoting.ts';

/** A column of a table: its type as the database writes it. */
export type Columns = ReadonlyMap<string, string>;

type Test = (type: string) => boolean;

const isTime: Test = (type) => /^DateTime/.test(type);
const isText: Test = (type) => /^(LowCardinality\()?(Nullable\()?(String|FixedString|Enum)/.test(type);
const isNumber: Test = (type) => /^(Nullable\()?(U?Int|Float|Decimal)/.test(type);
const isMap: Test = (type) => /^Map\((LowCardinality\()?String/.test(type);
const isAny: Test = () => true;

/** Names in lower case without separators, the likeliest first. */
const times = ['timestamp', 'time', 'ts', 'eventtime', 'eventtimestamp', 'at', 'createdat', 'date', 'datetime'];
const bodies = ['body', 'message', 'msg', 'log', 'line', 'text', 'description', 'event', 'title', 'name'];
const severities = ['severitytext', 'severity', 'level', 'loglevel', 'priority'];
const services = ['servicename', 'service', 'app', 'application', 'component'];
const attributes = ['logattributes', 'spanattributes', 'attributes', 'attrs', 'labels', 'tags'];
const resources = ['resourceattributes', 'resource'];

const selectedMax = 6;
/** A mark of rows that are gone, which pipes of databases write. */
const deletedColumn = '_peerdb_is_deleted';

/** Of events over a table: expressions by the names and types of its columns; `undefined` without a time column. */
export function guessSource(table: string, columns: Columns): PipeSourceGuess | undefined {
  const find = (names: readonly string[], test: Test): string | undefined => likeliest(columns, names, test);
  const time = find(times, isTime) ?? ownColumns(columns).find(([, type]) => isTime(type))?.[0];
  if (time === undefined) return undefined;
  const common = {
    name: table,
    timestampValueExpression: named(time),
    ...expression('serviceNameExpression', find(services, isText)),
    ...expression('eventAttributesExpression', find(attributes, isMap)),
    ...expression('resourceAttributesExpression', find(resources, isMap)),
    ...(columns.has(deletedColumn) && { tableFilterExpression: `${deletedColumn} = 0` }),
  };
  const ids = { traceIdExpression: find(['traceid'], isText), spanIdExpression: find(['spanid'], isText) };
  const spans = {
    ...ids,
    durationExpression: find(['duration', 'durationns', 'durationms'], isNumber),
    parentSpanIdExpression: find(['parentspanid', 'parentid'], isText),
    spanNameExpression: find(['spanname', 'operationname', 'operation', 'name'], isText),
    spanKindExpression: find(['spankind', 'kind'], isAny),
  };
  if (Object.values(spans).every((name) => name !== undefined)) {
    const status = {
      statusCodeExpression: find(['statuscode', 'status'], isAny),
      statusMessageExpression: find(['statusmessage'], isText),
    };
    const shown = [time, find(services, isText), status.statusCodeExpression, spans.spanNameExpression];
    return {
      kind: 'trace',
      ...common,
      defaultTableSelectExpression: selectOf(shown),
      ...expressions({ ...spans, ...status }),
      ...expression('implicitColumnExpression', spans.spanNameExpression),
    };
  }
  const body = find(bodies, isText);
  const severity = find(severities, isText);
  const shown = body === undefined ? [time] : [time, find(services, isText), severity, body];
  return {
    kind: 'log',
    ...common,
    defaultTableSelectExpression: selectOf(body === undefined ? filledUp(shown, columns) : shown),
    ...expressions(ids),
    ...expression('severityTextExpression', severity),
    ...expression('bodyExpression', body),
    ...expression('implicitColumnExpression', body),
  };
}

function likeliest(columns: Columns, names: readonly string[], test: Test): string | undefined {
  const byName = new Map<string, string>();
  for (const [name, type] of columns) {
    const plain = name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
    if (test(type) && !byName.has(plain)) byName.set(plain, name);
  }
  return names.map((name) => byName.get(name)).find((name) => name !== undefined);
}

/** Without those that the program adds, unless there are no others. */
function ownColumns(columns: Columns): [string, string][] {
  const all = [...columns];
  return [...all.filter(([name]) => !name.startsWith('_')), ...all.filter(([name]) => name.startsWith('_'))];
}

function filledUp(shown: readonly (string | undefined)[], columns: Columns): (string | undefined)[] {
  const others = ownColumns(columns).filter(([name, type]) => !name.startsWith('_') && !isMap(type));
  return [...new Set([...shown, ...others.map(([name]) => name)])].slice(0, selectedMax);
}

function selectOf(names: readonly (string | undefined)[]): string {
  return names.flatMap((name) => (name === undefined ? [] : [named(name)])).join(', ');
}

function expressions<Key extends string>(names: Readonly<Record<Key, string | undefined>>): { [K in Key]?: string } {
  const given = Object.entries<string | undefined>(names).flatMap(([key, name]) =>
    name === undefined ? [] : [[key, named(name)]],
  );
  // The keys are those of `names`.
  return Object.fromEntries(given) as { [K in Key]?: string };
}

function expression<Key extends string>(key: Key, name: string | undefined): { [K in Key]?: string } {
  // One key of this name.
  return expressions({ [key]: name } as Record<Key, string | undefined>);
}

function named(column: string): string {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(column) ? column : quoteName(column);
}
