import type { Span } from './random-spans.ts';

/** Each span as often as it weighs. */
export type WeightOf = (span: Span) => number;

export interface SlowMeasures {
  requests: number;
  rate: number;
  errors: number;
  errorShare: number | null;
  p50Ms: number | null;
  p95Ms: number | null;
  p99Ms: number | null;
}

export function slowMeasures(spans: readonly Span[], seconds: number, weightOf: WeightOf): SlowMeasures {
  const all = spans.flatMap((span) => Array.from({ length: weightOf(span) }, () => span));
  const errors = all.filter(({ StatusCode }) => StatusCode === 'Error').length;
  const durations = all.map(({ Duration }) => Duration / 1e6).sort((a, b) => a - b);
  return {
    requests: all.length,
    rate: all.length / seconds,
    errors,
    errorShare: all.length === 0 ? null : errors / all.length,
    p50Ms: slowQuantile(durations, 0.5),
    p95Ms: slowQuantile(durations, 0.95),
    p99Ms: slowQuantile(durations, 0.99),
  };
}

/** Linear between the closest ranks. */
function slowQuantile(sorted: readonly number[], level: number): number | null {
  const place = (sorted.length - 1) * level;
  const [low, high] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  return low === undefined || high === undefined ? null : low + (high - low) * (place - Math.floor(place));
}

export type Basis = 'entry' | 'root' | 'all';

const isOf: Record<Basis, (span: Span) => boolean> = {
  entry: ({ SpanKind }) => SpanKind === 'Server' || SpanKind === 'Consumer',
  root: ({ ParentSpanId }) => ParentSpanId === '',
  all: () => true,
};

export function slowBasis(spans: readonly Span[]): Basis {
  return (['entry', 'root'] as const).find((basis) => spans.some(isOf[basis])) ?? 'all';
}

/** Both periods of the groups, those with most requests first. */
export function slowGroups(
  spans: readonly Span[],
  { startMs, endMs }: { startMs: number; endMs: number },
  {
    nameOf,
    basisOf,
    weightOf,
  }: { nameOf: (span: Span) => string; basisOf: (name: string) => Basis; weightOf: WeightOf },
) {
  const seconds = (endMs - startMs) / 1000;
  const read = spans.filter(({ TimestampMs }) => TimestampMs >= 2 * startMs - endMs && TimestampMs < endMs);
  return [...new Set(read.map(nameOf))]
    .map((name) => {
      const basis = basisOf(name);
      const own = read.filter((span) => nameOf(span) === name && isOf[basis](span));
      const [before, now] = [
        own.filter(({ TimestampMs }) => TimestampMs < startMs),
        own.filter(({ TimestampMs }) => TimestampMs >= startMs),
      ];
      return {
        name,
        basis,
        ...slowMeasures(now, seconds, weightOf),
        previous: before.length > 0 ? slowMeasures(before, seconds, weightOf) : null,
      };
    })
    .filter(({ requests, previous }) => requests > 0 || previous !== null)
    .sort((a, b) => b.requests - a.requests || (a.name < b.name ? -1 : 1));
}
