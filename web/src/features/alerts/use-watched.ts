import { useQuery } from '@tanstack/react-query';
import { formatOfMetric, formatOfSpans } from '../../../../src/contract/known-format.ts';
import { isMetricExpression } from '../../../../src/contract/metric-expression.ts';
import type { NumberFormat } from '../../../../src/contract/number-format.ts';
import { metricsQuery, useSources } from '../where-editor/source-queries.ts';
import { type EvaluatedItem, evaluatedItem } from './evaluated-item.ts';
import { useWatchedNames, type Watched, type WatchedIds } from './use-watched-names.ts';

/** What an alert watches; its values are written in their unit as in the tile, whether that is set or known. */
export function useWatched(alert: WatchedIds): Watched {
  const target = useWatchedNames().watched(alert);
  const { tile, numberFormat } = target;
  const known = useKnownFormat(tile && !numberFormat ? evaluatedItem(tile) : undefined);
  return { ...target, numberFormat: numberFormat ?? known };
}

function useKnownFormat(item: EvaluatedItem | undefined): NumberFormat | undefined {
  const source = useSources().find(({ id }) => id === item?.sourceId);
  const isMetric = source?.kind === 'metric' && item !== undefined;
  const { data: metrics = [] } = useQuery({ ...metricsQuery(source?.id ?? ''), enabled: isMetric });
  if (!item) return undefined;
  if (source?.kind === 'trace') return formatOfSpans(source, item);
  // What is calculated of a value may be of any unit.
  if (isMetricExpression(item)) return undefined;
  const metric = metrics.find(({ name }) => name === (item.metricName ?? item.field));
  return metric && formatOfMetric(metric.unit, item.aggFn);
}
