import type { Clock } from '../../../kernel/clock.ts';
import { RecentAnswers } from '../../../kernel/recent-answers.ts';
import type { TimeRange } from '../../../query/chart-query.ts';
import { compileMetricProfile } from '../../../query/compile-metric-profile.ts';
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

export interface MetricProfile {
  /** Between two points, ms; 0 = unknown. */
  samplingMs: number;
  /** As its senders say (UCUM): `ms`, `By`; empty = unknown. */
  unit: string;
}

const nothingKnown: MetricProfile = { samplingMs: 0, unit: '' };

/** Knows how often metrics are sampled (narrower buckets would show less than there is), and in what unit. */
export class MetricProfiles {
  readonly #sources: ReadableSources;
  readonly #runner: ScanRunner;
  readonly #kept: RecentAnswers<MetricProfile>;

  constructor(sources: ReadableSources, runner: ScanRunner, clock: Clock) {
    this.#sources = sources;
    this.#runner = runner;
    this.#kept = new RecentAnswers(clock, { keepMs, keptMax });
  }

  /** Of the metric of each series, around the end of the range; nothing is known of other series. */
  of(tenantId: string, series: readonly SeriesDefinition[], range: TimeRange): Promise<MetricProfile[]> {
    const asked = series.map((one) => {
      const metric = metricOf(one);
      if (!metric) return nothingKnown;
      return this.#kept.get(`${tenantId} ${JSON.stringify(metric)}`, () => this.#ask(tenantId, metric, range));
    });
    return Promise.all(asked);
  }

  /** The longest sampling interval of the metrics among the series, in ms; 0 when there are none or nothing is known. */
  async longestInterval(tenantId: string, series: readonly SeriesDefinition[], range: TimeRange): Promise<number> {
    const profiles = await this.of(tenantId, series, range);
    return Math.max(0, ...profiles.map(({ samplingMs }) => samplingMs));
  }

  /** Whatever goes wrong is reported by the chart itself; it is drawn without this. */
  async #ask(tenantId: string, metric: Metric, { endMs }: TimeRange): Promise<MetricProfile> {
    try {
      for (const lookMs of looksMs) {
        const profile = await this.#profileIn(tenantId, metric, { startMs: endMs - lookMs, endMs });
        if (profile.samplingMs > 0) return profile;
      }
    } catch {}
    return nothingKnown;
  }

  async #profileIn(tenantId: string, { sourceId, name, kind }: Metric, range: TimeRange): Promise<MetricProfile> {
    const sources = await this.#sources.find(tenantId, [{ sourceId }]);
    const { engine, schema, guards } = await this.#runner.open(tenantId, { sourceId, metricKind: kind }, sources);
    if (schema.kind !== 'metric') return nothingKnown;
    const limits = { ...guards, rowsToReadMax, timeoutMs };
    const compiled = compileMetricProfile({ name, kind, range }, schema, limits);
    const { columns } = await engine.runner.run(compiled, {
      name: 'metric profile query',
      queryClass: 'interactive',
      timeoutMs,
    });
    const [interval, unit] = columns.map((column) => column[0]);
    return { samplingMs: typeof interval === 'number' ? interval : 0, unit: typeof unit === 'string' ? unit : '' };
  }
}

function metricOf({ sourceId, metricName, field, metricKind: kind }: SeriesDefinition): Metric | undefined {
  const name = metricName ?? field;
  return kind && name !== undefined ? { sourceId, name, kind } : undefined;
}
