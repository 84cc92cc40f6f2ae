import type { Clock } from '../../../kernel/clock.ts';
import { RecentAnswers } from '../../../kernel/recent-answers.ts';
import type { TimeRange } from '../../../query/chart-query.ts';
import { compileSamplingInterval } from '../../../query/compile-sampling-interval.ts';
import type { MetricKind } from '../../../query/source-schema.ts';
import type { SeriesDefinition } from '../request/chart-definition.ts';
import type { ReadableSources } from './readable-sources.ts';
import type { ScanRunner } from './scan-runner.ts';

const keepMs = 120_000;
const keptMax = 10_000;
/** How long before the end of a range the points are looked at; further only if too few are there. */
const looksMs = [600_000, 7_200_000, 86_400_000];
const rowsToReadMax = 2_000_000;
const timeoutMs = 2_000;

interface Metric {
  sourceId: string;
  name: string;
  kind: MetricKind;
}

/** Knows how often metrics are sampled: buckets narrower than that would show less than there is. */
export class SamplingIntervals {
  readonly #sources: ReadableSources;
  readonly #runner: ScanRunner;
  readonly #kept: RecentAnswers<number>;

  constructor(sources: ReadableSources, runner: ScanRunner, clock: Clock) {
    this.#sources = sources;
    this.#runner = runner;
    this.#kept = new RecentAnswers(clock, { keepMs, keptMax });
  }

  /** The longest interval of the metrics among the series, in ms; 0 when there are none or nothing is known. */
  async longest(tenantId: string, series: readonly SeriesDefinition[], range: TimeRange): Promise<number> {
    const metrics = new Map(series.flatMap(metricOf).map((metric) => [JSON.stringify(metric), metric]));
    const intervals = [...metrics].map(([key, metric]) => {
      return this.#kept.get(`${tenantId} ${key}`, () => this.#ask(tenantId, metric, range));
    });
    return Math.max(0, ...(await Promise.all(intervals)));
  }

  /** Whatever goes wrong is reported by the chart itself; it is drawn without this. */
  async #ask(tenantId: string, metric: Metric, { endMs }: TimeRange): Promise<number> {
    try {
      for (const lookMs of looksMs) {
        const intervalMs = await this.#intervalIn(tenantId, metric, { startMs: endMs - lookMs, endMs });
        if (intervalMs > 0) return intervalMs;
      }
    } catch {}
    return 0;
  }

  async #intervalIn(tenantId: string, { sourceId, name, kind }: Metric, range: TimeRange): Promise<number> {
    const sources = await this.#sources.find(tenantId, [{ sourceId }]);
    const { engine, schema, guards } = await this.#runner.open(tenantId, { sourceId, metricKind: kind }, sources);
    if (schema.kind !== 'metric') return 0;
    const limits = { ...guards, rowsToReadMax, timeoutMs };
    const compiled = compileSamplingInterval({ name, kind, range }, schema, limits);
    const { columns } = await engine.runner.run(compiled, {
      name: 'sampling interval query',
      queryClass: 'interactive',
      timeoutMs,
    });
    const found = columns[0]?.[0];
    return typeof found === 'number' ? found : 0;
  }
}

function metricOf({ sourceId, metricName, field, metricKind: kind }: SeriesDefinition): Metric[] {
  const name = metricName ?? field;
  return kind && name !== undefined ? [{ sourceId, name, kind }] : [];
}
