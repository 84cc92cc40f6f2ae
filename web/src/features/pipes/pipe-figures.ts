import type { PipeSummary } from '../../../../src/contract/pipe-status.ts';
import { formatSeconds, formatValue } from '../../charts/format-value.ts';
import { instantText } from '../../ui/instant-text.ts';

/** `1,234,567` */
export function countText(count: number): string {
  return count.toLocaleString('en-US');
}

export function bytesText(bytes: number): string {
  return formatValue(bytes, { output: 'byte' });
}

/** How far the pipe is behind its source: `3.2 s, 500 records`; a dash when that is not known. */
export function lagText({ lagMs, lagRecords }: Pick<PipeSummary, 'lagMs' | 'lagRecords'>): string {
  const parts = [
    ...(lagMs === undefined ? [] : [formatSeconds(Math.max(0, lagMs) / 1_000)]),
    ...(lagRecords === undefined ? [] : [`${countText(lagRecords)} records`]),
  ];
  return parts.join(', ') || '–';
}

export function successText({ lastSuccessAt }: Pick<PipeSummary, 'lastSuccessAt'>): string {
  return lastSuccessAt === undefined ? '–' : instantText(lastSuccessAt);
}
