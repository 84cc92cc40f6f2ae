import type { ServiceOperation } from '../../../../src/contract/services.ts';
import { formatSeconds } from '../../charts/format-value.ts';

export const figureColumns = [
  { key: 'rate', label: 'Requests/s' },
  { key: 'errorShare', label: 'Errors' },
  { key: 'p50Ms', label: 'p50' },
  { key: 'p95Ms', label: 'p95' },
  { key: 'p99Ms', label: 'p99' },
] as const;
export type FigureKey = (typeof figureColumns)[number]['key'];

type Figures = Pick<ServiceOperation, FigureKey>;

/** `1.2k`, `0.034`; three digits are enough to compare. */
export function rateText(rate: number): string {
  if (rate >= 1000) return `${Number((rate / 1000).toPrecision(3))}k`;
  return String(Number(rate.toPrecision(3)));
}

export function shareText(share: number | null): string {
  if (share === null) return '–';
  const percent = share * 100;
  return `${percent > 0 && percent < 0.01 ? '<0.01' : Number(percent.toPrecision(3))} %`;
}

export function durationText(ms: number | null): string {
  return ms === null ? '–' : formatSeconds(ms / 1000);
}

export function figureText(key: FigureKey, figures: Figures): string {
  if (key === 'rate') return rateText(figures.rate);
  return key === 'errorShare' ? shareText(figures.errorShare) : durationText(figures[key]);
}

export interface Change {
  text: string;
  /** Errors and durations that rise; a rate is neither better nor worse. */
  isWorse: boolean;
}

const leastRatio = 0.1;
const leastShare = 0.001;
const leastRequests = 20;

/** How a figure differs from the period before; nothing where it hardly does, or where there are too few requests to say. */
export function changeOf(key: FigureKey, now: ServiceOperation): Change | undefined {
  const { previous } = now;
  const before = previous?.[key] ?? null;
  const value = now[key];
  if (!previous || before === null || value === null) return undefined;
  if (Math.min(previous.requests, now.requests) < leastRequests && now.requests > 0) return undefined;
  const sign = value > before ? '+' : '−';
  if (key === 'errorShare') {
    const points = Math.abs(value - before);
    if (points < leastShare) return undefined;
    return { text: `${sign}${Number((points * 100).toPrecision(2))} pp`, isWorse: value > before };
  }
  if (before === 0) return undefined;
  const ratio = Math.abs(value - before) / before;
  if (ratio < leastRatio) return undefined;
  return { text: `${sign}${Math.round(ratio * 100)} %`, isWorse: key !== 'rate' && value > before };
}

export interface Sorting {
  key: FigureKey | 'name';
  descending: boolean;
}

export function readSorting(text: string | undefined): Sorting {
  const key = text?.replace(/^-/, '');
  const known = (['name', ...figureColumns.map((each) => each.key)] as const).find((each) => each === key);
  return known ? { key: known, descending: text?.startsWith('-') === true } : { key: 'rate', descending: true };
}

export function printSorting({ key, descending }: Sorting): string {
  return `${descending ? '-' : ''}${key}`;
}

/** Missing figures come last, whatever the direction. */
export function sorted<Row extends ServiceOperation>(rows: readonly Row[], { key, descending }: Sorting): Row[] {
  const direction = descending ? -1 : 1;
  return [...rows].sort((a, b) => {
    const byName = a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
    if (key === 'name') return direction * byName;
    const [one, other] = [a[key], b[key]];
    if (one === other) return byName;
    if (one === null || other === null) return one === null ? 1 : -1;
    return direction * (one - other);
  });
}
