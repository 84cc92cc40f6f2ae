import type { SeriesQuery } from '../chart-query.ts';
import type { CompiledQuery } from '../compiled-query.ts';
import { exponentialQuantile } from './exponential-quantile.ts';
import { histogramQuantiles } from './histogram-quantile.ts';

/**
 * How the quantiles of histograms among the series come of the engine's answer: it adds up the buckets, the place inside
 * a bucket is found here. `undefined` when there are none.
 */
export function quantileDecoders(series: readonly SeriesQuery[]): CompiledQuery['decode'] {
  const histogramQuantile = histogramQuantiles();
  const decoders = series.flatMap(({ aggregate, level = 0.5, metric }, index) => {
    const read = { histogram: histogramQuantile, exponentialHistogram: exponentialQuantile };
    const kind = metric?.kind;
    if (aggregate !== 'quantile' || (kind !== 'histogram' && kind !== 'exponentialHistogram')) return [];
    const decode = (text: unknown): number | null => (typeof text === 'string' ? read[kind](text, level) : null);
    return [[`v${index}`, decode] as const];
  });
  return decoders.length === 0 ? undefined : new Map(decoders);
}
