import type { EventRow, EventSource } from './event-columns.ts';
import { instantNs } from './event-text.ts';
import { sqlText } from './where-clause.ts';

/** What the events around one have in common with it. */
export const scopes = [
  { id: 'service', label: 'Service' },
  { id: 'host', label: 'Host' },
  { id: 'pod', label: 'Pod' },
  { id: 'all', label: 'All' },
] as const;
export type Scope = (typeof scopes)[number]['id'];

/** How far before and after it; the id is used in the URL. */
export const spans = [
  { id: '100ms', label: '100 ms', ms: 100 },
  { id: '1s', label: '1 s', ms: 1000 },
  { id: '5s', label: '5 s', ms: 5000 },
  { id: '30s', label: '30 s', ms: 30_000 },
  { id: '5m', label: '5 min', ms: 300_000 },
  { id: '15m', label: '15 min', ms: 900_000 },
] as const;
export type Span = (typeof spans)[number];

export const usualSpan: Span = spans[3];

const resourceKeys = { host: 'host.name', pod: 'k8s.pod.name' } as const;

/** The filter (SQL) that a scope means for this event; `undefined` where the event does not say it. */
export function scopeWhere(
  scope: Scope,
  row: EventRow,
  source: EventSource,
  detail: Record<string, unknown> | undefined,
): string | undefined {
  if (scope === 'all') return '';
  if (scope === 'service') {
    const { serviceNameExpression } = source;
    return serviceNameExpression && row.service ? `${serviceNameExpression} = ${sqlText(row.service)}` : undefined;
  }
  const { resourceAttributesExpression } = source;
  if (!resourceAttributesExpression) return undefined;
  const resource = detail?.[resourceAttributesExpression];
  const key = resourceKeys[scope];
  const value =
    typeof resource === 'object' && resource !== null
      ? Object.entries(resource).find(([name]) => name === key)?.[1]
      : undefined;
  return typeof value === 'string' && value !== ''
    ? `${resourceAttributesExpression}[${sqlText(key)}] = ${sqlText(value)}`
    : undefined;
}

/** The time before the event and after it: `later` begins with the millisecond behind its own. */
export function rangesAround(row: EventRow, { ms }: Span) {
  const atMs = Number((instantNs(row.time) ?? 0n) / 1_000_000n);
  return {
    earlier: { startMs: atMs - ms, endMs: atMs + 1 },
    later: { startMs: atMs + 1, endMs: atMs + ms + 1 },
  };
}
