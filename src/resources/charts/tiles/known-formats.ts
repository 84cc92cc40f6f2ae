import { formatOfMetric, formatOfSpans } from '../../../contract/known-format.ts';
import { isMetricExpression } from '../../../contract/metric-expression.ts';
import type { NumberFormat } from '../../../contract/number-format.ts';
import type { TimeRange } from '../../../query/chart-query.ts';
import type { MetricProfiles } from '../reading/metric-profiles.ts';
import type { ReadableSources } from '../reading/readable-sources.ts';
import type { SeriesDefinition } from '../request/chart-definition.ts';

type Format = NumberFormat | undefined;

export interface KnownFormatsDeps {
  profiles: Pick<MetricProfiles, 'of'>;
  sources: Pick<ReadableSources, 'get'>;
}

/** Formats of series for which the tile has none, as far as their units are known. */
export class KnownFormats {
  readonly #deps: KnownFormatsDeps;

  constructor(deps: KnownFormatsDeps) {
    this.#deps = deps;
  }

  /** In the order of the series. */
  async of(tenantId: string, series: readonly SeriesDefinition[], range: TimeRange): Promise<Format[]> {
    const profiles = await this.#deps.profiles.of(tenantId, series, range);
    return Promise.all(
      series.map(async (one, index) => {
        const unit = profiles[index]?.unit;
        // What is calculated of a value may be of any unit.
        if (unit) return isMetricExpression(one) ? undefined : formatOfMetric(unit, one.aggregate);
        return one.field === undefined || one.metricKind ? undefined : this.#ofSpans(tenantId, one);
      }),
    );
  }

  /** A source that is gone is reported by the chart itself. */
  async #ofSpans(tenantId: string, { sourceId, aggregate, field }: SeriesDefinition): Promise<Format> {
    const source = await this.#deps.sources.get(tenantId, sourceId).catch(() => undefined);
    return source?.kind === 'trace' ? formatOfSpans(source, { aggFn: aggregate, field }) : undefined;
  }
}
