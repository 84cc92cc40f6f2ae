import type { NumberFormat } from '../../../src/contract/number-format.ts';

const missing = '–';

/**
 * A number as a chart writes it, by the contract's number format. Without a format: up to three decimals, thousands
 * separated, long ones shortened (`1.25M`). `null` is a dash.
 */
export function formatValue(value: number | null | undefined, format?: NumberFormat): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return missing;
  const text = format ? written(value, format) : plain(value);
  return format?.unit ? `${text} ${format.unit}` : text;
}

/** As `formatValue`, short enough for an axis; with decimals whatever the format says, as ticks must differ. */
export function formatTick(value: number, format?: NumberFormat): string {
  if (!format || format.output === 'number') {
    return withUnit(shortened(value * (format?.factor ?? 1), 2), format?.unit);
  }
  const text = formatValue(value, { ...format, mantissa: 2 });
  // Zeros at the end, and a point before nothing.
  return text.replace(/\.\d+/, (fraction) => String(Number(fraction)).slice(1));
}

function withUnit(text: string, unit: string | undefined): string {
  return unit ? `${text} ${unit}` : text;
}

function written(raw: number, format: NumberFormat): string {
  const { output, mantissa } = format;
  const value = raw * (format.factor ?? 1);
  if (output === 'percent') return `${decimals(value * 100, mantissa ?? 2, format)}%`;
  if (output === 'byte') return bytes(value, format, '');
  if (output === 'data_rate') return bytes(value, format, '/s');
  if (output === 'throughput') return `${number(value, format)}/s`;
  if (output === 'currency')
    return `${value < 0 ? '-' : ''}${format.currencySymbol ?? '$'}${number(Math.abs(value), { ...format, mantissa: mantissa ?? 2 })}`;
  if (output === 'duration') return formatSeconds(value, mantissa);
  if (output === 'time') return clock(value);
  return number(value, format);
}

function number(value: number, format: NumberFormat): string {
  if (format.average) return shortened(value, format.mantissa ?? 2);
  return decimals(value, format.mantissa ?? 3, format);
}

function decimals(value: number, most: number, { thousandSeparated = true, mantissa = 0 }: NumberFormat): string {
  return formatterOf(clampDigits(most), clampDigits(mantissa), thousandSeparated).format(value);
}

/** With so many decimals at most. */
function upTo(digits: number, value: number): string {
  return formatterOf(clampDigits(digits), 0, true).format(value);
}

function clampDigits(digits: number): number {
  return Math.min(Math.max(digits, 0), 12);
}

/** Kept, as making one takes longer than drawing a line: a chart writes hundreds of numbers in few ways. */
const formatters = new Map<string, Intl.NumberFormat>();

function formatterOf(maximumFractionDigits: number, minimumFractionDigits: number, useGrouping: boolean) {
  const key = `${maximumFractionDigits} ${minimumFractionDigits} ${useGrouping}`;
  const known = formatters.get(key);
  if (known) return known;
  const made = new Intl.NumberFormat('en-US', { maximumFractionDigits, minimumFractionDigits, useGrouping });
  formatters.set(key, made);
  return made;
}

function plain(value: number): string {
  const size = Math.abs(value);
  if (size >= 1_000_000) return shortened(value, 2);
  if (size !== 0 && size < 0.001) return value.toExponential(2);
  return upTo(size < 1 ? 4 : 3 - Math.min(String(Math.trunc(size)).length - 1, 3), value);
}

/**
 * Decimals for plain numbers in one column: none if all are integers, otherwise enough for about three digits of the
 * largest. `undefined` if one is so large or so small that each is better formatted separately.
 */
export function commonDecimals(values: readonly (number | null)[]): number | undefined {
  const known = values.filter((value) => value !== null && Number.isFinite(value));
  const sizes = known.map((value) => Math.abs(value ?? 0)).filter((size) => size !== 0);
  const largest = Math.max(...sizes, 0);
  if (largest >= 1_000_000 || sizes.some((size) => size < 0.001)) return undefined;
  if (sizes.every(Number.isInteger)) return 0;
  if (largest >= 100) return 0;
  return largest >= 10 ? 1 : largest >= 1 ? 2 : 3;
}

const powers = [
  [1e12, 'T'],
  [1e9, 'B'],
  [1e6, 'M'],
  [1e3, 'k'],
] as const;

function shortened(value: number, digits: number): string {
  const size = Math.abs(value);
  if (size !== 0 && size < 0.001) return value.toExponential(1);
  const [power, letter] = powers.find(([least]) => size >= least) ?? [1, ''];
  return `${upTo(size < 1 ? 4 : digits, value / power)}${letter}`;
}

const binary = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];
const decimal = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];

function bytes(value: number, { decimalBytes = false, mantissa }: NumberFormat, suffix: string): string {
  const [base, units] = decimalBytes ? [1000, decimal] : [1024, binary];
  let size = Math.abs(value);
  let step = 0;
  while (size >= base && step < units.length - 1) {
    size /= base;
    step += 1;
  }
  const digits = step === 0 ? 0 : size < 10 ? 2 : size < 100 ? 1 : 0;
  const text = upTo(mantissa ?? digits, size);
  return `${value < 0 ? '-' : ''}${text} ${units[step]}${suffix}`;
}

/** Seconds in the unit that reads best: `250 µs`, `1.2 s`, `3 min 20 s`, `2 d 4 h`. */
export function formatSeconds(seconds: number, mantissa?: number): string {
  const size = Math.abs(seconds);
  const sign = seconds < 0 ? '-' : '';
  const rounded = (value: number) => upTo(mantissa ?? (value < 10 ? 2 : value < 100 ? 1 : 0), value);
  if (size === 0) return '0 s';
  if (size < 1e-6) return `${sign}${rounded(size * 1e9)} ns`;
  if (size < 1e-3) return `${sign}${rounded(size * 1e6)} µs`;
  if (size < 1) return `${sign}${rounded(size * 1e3)} ms`;
  if (size < 60) return `${sign}${rounded(size)} s`;
  const whole = Math.round(size);
  if (whole < 3600) return sign + twoParts(whole, 60, 'min', 1, 's');
  if (whole < 86_400) return sign + twoParts(whole, 3600, 'h', 60, 'min');
  return sign + twoParts(whole, 86_400, 'd', 3600, 'h');
}

function twoParts(seconds: number, big: number, bigUnit: string, small: number, smallUnit: string): string {
  const rest = Math.floor((seconds % big) / small);
  const head = `${Math.floor(seconds / big)} ${bigUnit}`;
  return rest === 0 ? head : `${head} ${rest} ${smallUnit}`;
}

function clock(seconds: number): string {
  const whole = Math.round(Math.abs(seconds));
  const pair = (value: number) => String(value).padStart(2, '0');
  const text = `${Math.floor(whole / 3600)}:${pair(Math.floor(whole / 60) % 60)}:${pair(whole % 60)}`;
  return seconds < 0 ? `-${text}` : text;
}
