import type { Service } from '../../../../src/contract/services.ts';
import type { TraceSource } from '../../../../src/contract/source.ts';
import type { TileAnswer } from '../../../../src/contract/tile-query.ts';
import type { SparkPoint } from '../dashboards/sparkline.ts';
import { type NamedChart, spanConditions, sqlText } from './service-charts.ts';

/** Requests of a service over the range, and those that failed. */
export interface Activity {
  requests: readonly SparkPoint[];
  errors: readonly SparkPoint[];
}

/** The busiest services; a line for each of a thousand would cost more than the list. */
const servicesMax = 50;
const nameLengthMax = 100;
const bases = ['entry', 'root', 'all'] as const;

/** Charts that together have the activity of the services, for one request; each service is counted by its own basis. */
export function activityCharts(source: TraceSource, services: readonly Service[]): NamedChart[] {
  const drawn = services
    .filter(({ name }) => name !== '' && name.length <= nameLengthMax)
    .sort((a, b) => b.requests - a.requests)
    .slice(0, servicesMax);
  return bases.flatMap((basis) => {
    const names = drawn.filter((service) => service.basis === basis).map(({ name }) => name);
    return names.length > 0 ? [{ name: basis, config: activityConfig(source, names, basis) }] : [];
  });
}

function activityConfig(source: TraceSource, names: readonly string[], basis: Service['basis']) {
  const { serviceNameExpression = '' } = source;
  const those = `${serviceNameExpression} IN (${names.map(sqlText).join(', ')})`;
  const { where, failed } = spanConditions(source, those, basis);
  const count = { aggFn: 'count', whereLanguage: 'sql' };
  return {
    displayType: 'line',
    sourceId: source.id,
    groupBy: serviceNameExpression,
    seriesLimit: names.length,
    select: [{ ...count, where, alias: 'requests' }, ...(failed ? [{ ...count, where: failed, alias: 'errors' }] : [])],
  };
}

/** By the name of the service. */
export function activitiesOf(answers: readonly TileAnswer[]): ReadonlyMap<string, Activity> {
  const activities = new Map<string, Activity>();
  for (const { group, select, points } of answers.flatMap(({ series = [] }) => series)) {
    const [name = ''] = group;
    const known = activities.get(name) ?? { requests: [], errors: [] };
    activities.set(name, { ...known, [select === 0 ? 'requests' : 'errors']: points });
  }
  return activities;
}

const highestOf = (points: readonly SparkPoint[]) => Math.max(0, ...points.map(([, value]) => value ?? 0));

/** What a line shows, in words. */
export function activityText({ requests, errors }: Activity): string {
  const at = (points: readonly SparkPoint[], atMs: number | undefined) =>
    points.find(([pointMs]) => pointMs === atMs)?.[1] ?? 0;
  const lastMs = requests.at(-1)?.[0];
  const failed = highestOf(errors);
  return [
    `Requests per interval: at most ${highestOf(requests)}, last ${at(requests, lastMs)}`,
    failed > 0 ? `errors: at most ${failed}, last ${at(errors, lastMs)}` : 'no errors',
  ].join('; ');
}
