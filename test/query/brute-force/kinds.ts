import type { MetricDataType } from '../../../src/contract/series.ts';
import type { AggregateName } from '../../../src/query/chart-query.ts';
import { attributeField, columnField, type Fact, type Field, keyField, numberOf } from './facts.ts';
import type { FilterFields } from './filters.ts';
import { regions, routes, services, severities, statuses, users, words } from './random-events.ts';
import { hosts } from './random-points.ts';
import type { Calculation, Expression, SlowSource } from './slow-cells.ts';

export const groupings = ['nothing', 'a column', 'an attribute', 'several keys', 'more groups than the cap'] as const;
export type Grouping = (typeof groupings)[number];

export const aggregates: readonly AggregateName[] = [
  'count',
  'sum',
  'avg',
  'min',
  'max',
  'count_distinct',
  'quantile',
  'last_value',
  'rate',
  'increase',
  'expression',
];

/** A kind of source with everything that can be requested of it. */
export interface Kind {
  name: string;
  sourceId: string;
  slow: SlowSource;
  known: readonly AggregateName[];
  levels: readonly number[];
  /** Names of what a series of the kind can read; none for events. */
  metrics: readonly string[];
  metricType?: MetricDataType;
  /** What aggregates take; none for metrics. */
  numbers: readonly Field[];
  distinct: readonly Field[];
  /** Of events. */
  expressions?: readonly Expression[];
  /** Of metrics that have one value. */
  calculations?: readonly Calculation[];
  filters: FilterFields;
  groups: Readonly<Record<Grouping, readonly (readonly Field[])[]>>;
}

const levels = [0, 0.25, 0.5, 0.9, 0.99, 1, 0.373];
const ofEvents: readonly AggregateName[] = aggregates.filter((name) => name !== 'rate' && name !== 'increase');
const ofDistributions: readonly AggregateName[] = ['count', 'sum', 'avg', 'quantile'];

const region = attributeField('region', ['ResourceAttributes']);
const service = columnField('ServiceName');

interface EventKind {
  name: string;
  sourceId: string;
  slow: SlowSource;
  isLogs: boolean;
}

export function eventKind({ name, sourceId, slow, isLogs }: EventKind): Kind {
  const own = isLogs ? 'LogAttributes' : 'SpanAttributes';
  const maps = [own, 'ResourceAttributes'];
  const [label, labels] = isLogs ? (['SeverityText', severities] as const) : (['StatusCode', statuses] as const);
  const [body, size] = isLogs ? ['Body', 'SeverityNumber'] : ['SpanName', 'Duration'];
  const user = keyField(own, 'user', 'brackets');
  const route = attributeField('http.route', maps);
  return {
    name,
    sourceId,
    slow,
    known: ofEvents,
    levels,
    metrics: [],
    numbers: [
      keyField(own, 'n', 'dots'),
      attributeField('n', maps),
      columnField(size),
      { text: `length(${body})`, read: ({ columns }) => Buffer.byteLength(String(columns[body] ?? '')) },
      { text: `toFloat64OrNull(${own}['n']) * 2 + 1`, read: (fact) => twice(fact.maps[own]?.n) },
    ],
    distinct: [user, service, columnField(size), route],
    expressions: expressionsOf(columnField(size)),
    filters: {
      texts: [
        { field: service, values: services },
        { field: columnField(label), values: labels },
        { field: route, values: routes },
        { field: keyField(own, 'http.route', 'dots'), values: routes },
        { field: region, values: regions },
        { field: user, values: users },
      ],
      numbers: [keyField(own, 'n', 'brackets'), attributeField('n', maps), columnField(size)],
      words: { field: columnField(body), values: words },
    },
    groups: {
      nothing: [[]],
      'a column': [[service], [columnField(label)], [columnField(size)]],
      'an attribute': [[route], [keyField(own, 'http.route', 'dots')], [region]],
      'several keys': [
        [service, columnField(label)],
        [route, region, columnField(label)],
      ],
      'more groups than the cap': [[user]],
    },
  };
}

function expressionsOf(size: Field): Expression[] {
  const { text } = size;
  const isLarge = (fact: Fact) => Number(size.read(fact)) > 9;
  return [
    { text: 'count() / 60', of: (aggregate) => aggregate('count') / 60 },
    {
      text: `countIf(${text} > 9) * 100 / count()`,
      of: (aggregate) => (aggregate('count', undefined, isLarge) * 100) / aggregate('count'),
    },
    {
      text: `-(quantile(0.9)(${text}) - min(${text}))`,
      of: (aggregate) => -(aggregate('quantile', size, undefined, 0.9) - aggregate('min', size)),
    },
    {
      text: `if(count() > 3 AND max(${text}) > 5, round(avg(${text})), uniq(ServiceName))`,
      of: (aggregate) =>
        aggregate('count') > 3 && aggregate('max', size) > 5
          ? evenRound(aggregate('avg', size))
          : aggregate('count_distinct', service),
    },
    {
      text: `sumIf(${text}, ServiceName = 'api') / sum(${text} - 7)`,
      of: (aggregate) =>
        (aggregate('count', undefined, isApi) === 0 ? 0 : aggregate('sum', size, isApi)) /
        aggregate('sum', { text: '', read: (fact) => Number(size.read(fact)) - 7 }),
    },
  ];
}

const isApi = (fact: Fact) => service.read(fact) === 'api';

/** As the engine rounds: halves to the even neighbour. */
function evenRound(value: number): number {
  const rounded = Math.round(value);
  return Math.abs(value % 1) === 0.5 && rounded % 2 !== 0 ? rounded - 1 : rounded;
}

/** Infinity and NaN of the text survive the arithmetic and are left out of aggregates then. */
function twice(text = ''): string | number {
  return /^[-0-9.e]+$/.test(text) ? Number(text) * 2 + 1 : '';
}

const zoneField = keyField('Attributes', 'zone', 'dots');
const zoneOf = (fact: Fact) => numberOf(zoneField.read(fact));
const withZone = (of: (zone: number) => number) => (_: number, fact: Fact) => {
  const zone = zoneOf(fact);
  return zone === undefined ? undefined : of(zone);
};

const multiples: readonly Calculation[] = [
  { text: 'Value / 1024', of: (value) => value / 1024 },
  { text: '-Value', of: (value) => -value },
  { text: '100 * (Value + Value / 4) - "Value"', of: (value) => 100 * (value + value / 4) - value },
  {
    text: 'toFloat64(Value) * length(ServiceName)',
    of: (value, { columns }) => value * String(columns.ServiceName).length,
  },
  { text: 'Value * Attributes.zone / 3', of: (value, fact) => withZone((zone) => (value * zone) / 3)(value, fact) },
];
const ofPoints: readonly Calculation[] = [
  { text: 'Value + 5', of: (value) => value + 5 },
  { text: 'abs(Value)', of: (value) => Math.abs(value) },
  { text: 'if(Value > 0, Value * Value, 0.5)', of: (value) => (value > 0 ? value * value : 0.5) },
  { text: '1 / Value', of: (value) => 1 / value },
  { text: "Attributes['zone']", of: withZone((zone) => zone) },
];

interface MetricKind {
  name: string;
  sourceId: string;
  slow: SlowSource;
  metrics: readonly string[];
  metricType: MetricDataType;
}

export function metricKind(parts: MetricKind): Kind {
  const host = attributeField('host', ['Attributes', 'ResourceAttributes']);
  const zone = keyField('Attributes', 'zone', 'dots');
  const { metricType } = parts;
  const ofGauges = ofEvents.filter((name) => name !== 'expression');
  const ofSums = aggregates.filter((name) => name !== 'expression');
  const known = metricType === 'sum' ? ofSums : metricType === 'gauge' ? ofGauges : ofDistributions;
  return {
    ...parts,
    known,
    levels: metricType === 'summary' ? [0.5, 0.9, 0.99] : levels,
    numbers: [],
    distinct: [],
    ...(metricType === 'sum' && { calculations: multiples }),
    ...(metricType === 'gauge' && { calculations: [...multiples, ...ofPoints] }),
    filters: {
      texts: [
        { field: service, values: services },
        { field: host, values: hosts },
        { field: region, values: regions },
      ],
      numbers: [zone],
    },
    groups: {
      nothing: [[]],
      'a column': [[service]],
      'an attribute': [[zone], [region]],
      'several keys': [
        [service, zone],
        [region, zone, service],
      ],
      'more groups than the cap': [[host]],
    },
  };
}
