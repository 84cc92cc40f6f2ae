import type { TimeRange } from '../../../query/chart-query.ts';

/** Slices that sample a range, spread evenly so that no hour and no service is favoured. */
export function sliceRange({ startMs, endMs }: TimeRange, share: number, count: number): TimeRange[] {
  const stepMs = (endMs - startMs) / count;
  const lengthMs = Math.max(1, Math.round(stepMs * share));
  return Array.from({ length: count }, (_, at) => {
    const startOfSlice = Math.floor(startMs + at * stepMs + (stepMs - lengthMs) / 2);
    return { startMs: startOfSlice, endMs: startOfSlice + lengthMs };
  });
}
