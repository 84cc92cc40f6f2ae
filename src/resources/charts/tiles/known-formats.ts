import type { NumberFormat } from '../../../contract/number-format.ts';
import type { TimeRange } from '../../../query/chart-query.ts';
import type { Source } from '../../sources/source.ts';
import type { MetricProfile, MetricProfiles } from '../reading/metric-profiles.ts';
import type { ReadableSources } from '../reading/readable-sources.ts';
import type { SeriesDefinition } from '../request/chart-definition.ts';

type Format = NumberFormat | undefined;

/** UCUM, as OpenTelemetry writes units. Annotations such as `{request}` and ratios (`1`) are plain numbers. */
const formatOfUnit = new Map<string, NumberFormat>(
  Object.entries({
    d: { output: 'duration', factor: 86_400 },
    h: { output: 'duration', factor: 3600 },
    min: { output: 'duration', factor: 60 },
    s: { output: 'duration' },
    ms: { output: 'duration', factor: 1e-3 },
    us: { output: 'duration', factor: 1e-6 },
    µs: { output: 'duration', factor: 1e-6 },
    ns: { output: 'duration', factor: 1e-9 },
    By: { output: 'byte' },
    kBy: { output: 'byte', factor: 1e3 },
    MBy: { output: 'byte', factor: 1e6 },
    GBy: { output: 'byte', factor: 1e9 },
    KiBy: { output: 'byte', factor: 2 ** 10 },
    MiBy: { output: 'byte', factor: 2 ** 20 },
    GiBy: { output: 'byte', factor: 2 ** 30 },
    'By/s': { output: 'data_rate' },
    '%': { output: 'number', unit: '%' },
  } as const),
);

const countsRows = new Set(['count', 'count_distinct']);

/** How values with this unit are written, after this aggregate; `undefined` = as plain numbers. */
export function formatOfMetric({ unit }: MetricProfile, { aggregate }: Pick<SeriesDefinition, 'aggregate'>): Format {
  const format = countsRows.has(aggregate) ? undefined : formatOfUnit.get(unit);
  if (aggregate !== 'rate') return format;
  // Seconds per second are no duration.
  return format?.output === 'byte' ? { ...format, output: 'data_rate' } : undefined;
}

/** Of the duration of spans, whose unit the source says. */
export function formatOfSpans(source: Source, { aggregate, field }: SeriesDefinition): Format {
  if (source.kind !== 'trace' || countsRows.has(aggregate)) return undefined;
  if (field === undefined || field.trim() !== source.durationExpression.trim()) return undefined;
  return { output: 'duration', factor: 10 ** -source.durationPrecision };
}

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
        const profile = profiles[index];
        if (profile?.unit) return formatOfMetric(profile, one);
        return one.field === undefined || one.metricKind ? undefined : this.#ofSpans(tenantId, one);
      }),
    );
  }

  /** A source that is gone is reported by the chart itself. */
  async #ofSpans(tenantId: string, series: SeriesDefinition): Promise<Format> {
    const source = await this.#deps.sources.get(tenantId, series.sourceId).catch(() => undefined);
    return source && formatOfSpans(source, series);
  }
}
