import type { PipeStatus } from '../../contract/pipe-status.ts';
import { formatMoment, formatTable } from './format-table.ts';

/** `1,234,567` */
export function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}

/** How far a pipe is behind its source: `3.2 s, 500 records`, or `-` when that is not known. */
export function formatLag({ lagMs, lagRecords }: Pick<PipeStatus, 'lagMs' | 'lagRecords'>): string {
  const parts = [
    ...(lagMs === undefined ? [] : [formatDuration(lagMs)]),
    ...(lagRecords === undefined ? [] : [`${formatCount(lagRecords)} records`]),
  ];
  return parts.join(', ') || '-';
}

function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 120_000) return `${(ms / 1_000).toFixed(1)} s`;
  return ms < 7_200_000 ? `${Math.round(ms / 60_000)} min` : `${(ms / 3_600_000).toFixed(1)} h`;
}

export function formatIso(at: string | undefined): string {
  return formatMoment(at === undefined ? undefined : Date.parse(at));
}

/** State and totals, then the latest changes of state; times in UTC. */
export function formatStatus(status: PipeStatus & { id: string; name: string }): string {
  const fields = [
    ['id', status.id],
    ['name', status.name],
    ['state', status.state],
    ['reason', status.reason ?? '-'],
    ['since', formatIso(status.since)],
    ['rows', formatCount(status.rows)],
    ['bytes', formatCount(status.bytes)],
    ['errors', formatCount(status.errors)],
    ['lag', formatLag(status)],
    ['last success', formatIso(status.lastSuccessAt)],
  ];
  const lines = fields.map(([name = '', value = '']) => `${name.padEnd(14)}${value}\n`);
  const changes = status.changes.map(({ at, state, by, reason }) => [formatIso(at), state, by, reason ?? '']);
  const history = changes.length === 0 ? '' : `\n${formatTable(['time', 'state', 'by', 'reason'], changes)}`;
  return lines.join('') + history;
}
