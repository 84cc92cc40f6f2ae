import type { NumberFormat } from '../../../../contract/number-format.ts';
import { entryOf } from '../json-values.ts';

const formats: Readonly<Record<string, NumberFormat>> = {
  short: { output: 'number', thousandSeparated: true },
  none: { output: 'number', thousandSeparated: true },
  locale: { output: 'number', thousandSeparated: true },
  percent: { output: 'percent', factor: 0.01 },
  percentunit: { output: 'percent' },
  s: { output: 'duration' },
  ms: { output: 'duration', factor: 1e-3 },
  µs: { output: 'duration', factor: 1e-6 },
  ns: { output: 'duration', factor: 1e-9 },
  m: { output: 'duration', factor: 60 },
  h: { output: 'duration', factor: 3600 },
  d: { output: 'duration', factor: 86_400 },
  bytes: { output: 'byte', numericUnit: 'bytes_iec' },
  decbytes: { output: 'byte', numericUnit: 'bytes_si' },
  bits: { output: 'byte', numericUnit: 'bits_iec' },
  decbits: { output: 'byte', numericUnit: 'bits_si' },
  kbytes: { output: 'byte', numericUnit: 'kibibytes' },
  mbytes: { output: 'byte', numericUnit: 'mebibytes' },
  gbytes: { output: 'byte', numericUnit: 'gibibytes' },
  binBps: { output: 'data_rate', numericUnit: 'bytes_sec_iec' },
  Bps: { output: 'data_rate', numericUnit: 'bytes_sec_si' },
  binbps: { output: 'data_rate', numericUnit: 'bits_sec_iec' },
  bps: { output: 'data_rate', numericUnit: 'bits_sec_si' },
  cps: { output: 'throughput', numericUnit: 'cps' },
  ops: { output: 'throughput', numericUnit: 'ops' },
  reqps: { output: 'throughput', numericUnit: 'rps' },
  rps: { output: 'throughput', numericUnit: 'rps' },
  wps: { output: 'throughput', numericUnit: 'wps' },
  iops: { output: 'throughput', numericUnit: 'iops' },
  currencyUSD: { output: 'currency', currencySymbol: '$' },
  currencyEUR: { output: 'currency', currencySymbol: '€' },
  currencyGBP: { output: 'currency', currencySymbol: '£' },
};

/** The number format of a unit of Grafana; one that is only a text is written behind the number. */
export function formatOfUnit(unit: string, decimals: number | undefined): NumberFormat | undefined {
  const known = entryOf(formats, unit) ?? suffixOf(unit);
  if (!known) return decimals === undefined ? undefined : { output: 'number', mantissa: decimals };
  return decimals === undefined ? known : { ...known, mantissa: decimals };
}

export function isKnownUnit(unit: string): boolean {
  return unit === '' || Object.hasOwn(formats, unit) || suffixOf(unit) !== undefined;
}

function suffixOf(unit: string): NumberFormat | undefined {
  const suffix = /^suffix:(.{1,64})$/.exec(unit)?.[1]?.trim();
  return suffix ? { output: 'number', thousandSeparated: true, unit: suffix } : undefined;
}
