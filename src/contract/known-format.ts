import type { NumberFormat } from './number-format.ts';

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

/** How values of a metric with this unit are written, after this aggregate; `undefined` = as plain numbers. */
export function formatOfMetric(unit: string, aggFn: string): Format {
  const format = countsRows.has(aggFn) ? undefined : formatOfUnit.get(unit);
  if (aggFn !== 'rate') return format;
  // Seconds per second are no duration.
  return format?.output === 'byte' ? { ...format, output: 'data_rate' } : undefined;
}

/** Of the duration of spans, whose unit the source says (`durationPrecision`: decimals of a second). */
export function formatOfSpans(
  source: { durationExpression: string; durationPrecision: number },
  { aggFn, field }: { aggFn: string; field: string | undefined },
): Format {
  if (countsRows.has(aggFn) || field?.trim() !== source.durationExpression.trim()) return undefined;
  return { output: 'duration', factor: 10 ** -source.durationPrecision };
}
