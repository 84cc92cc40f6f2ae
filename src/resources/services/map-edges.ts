import {
  type ServiceEdge,
  type ServiceMap,
  type ServiceNode,
  type ServiceNodeRef,
  serviceNodeKinds,
} from '../../contract/services.ts';
import type { QueryResult } from '../../telemetry/ports.ts';
import { cellsOf, measuresOf, type Units } from './measured-groups.ts';

/** Columns as `compileCalls` says. */
export function arrivedCalls(result: QueryResult, units: Units): ServiceEdge[] {
  const cell = cellsOf(result);
  return Array.from({ length: result.rows }, (_, row) => ({
    from: { kind: 'service', name: String(cell('caller', row) ?? '') },
    to: { kind: 'service', name: String(cell('callee', row) ?? '') },
    measuredBy: 'callee',
    ...measuresOf(cell, row, '', units),
  }));
}

/**
 * Columns as `compileOutsideCalls` says. What has the name of a service is this service, which the calls did not reach.
 * Messages come from topics and queues alone.
 */
export function outsideCalls(
  result: QueryResult,
  direction: 'outgoing' | 'incoming',
  { units, services }: { units: Units; services: ReadonlySet<string> },
): ServiceEdge[] {
  const cell = cellsOf(result);
  return Array.from({ length: result.rows }, (_, row) => {
    const service: ServiceNodeRef = { kind: 'service', name: String(cell('service', row) ?? '') };
    const named = String(cell('system_name', row) ?? '');
    const found = serviceNodeKinds.find((kind) => kind === cell('system_kind', row)) ?? 'external';
    const name = direction === 'incoming' && found !== 'messaging' ? '' : named;
    const system: ServiceNodeRef = { kind: found === 'external' && services.has(name) ? 'service' : found, name };
    const [from, to] = direction === 'outgoing' ? [service, system] : [system, service];
    const measuredBy = direction === 'outgoing' ? 'caller' : 'callee';
    return { from, to, measuredBy, ...measuresOf(cell, row, '', units) };
  });
}

/** The map of these edges; services that call nothing are part of it. */
export function mapOf(edges: readonly ServiceEdge[], services: Iterable<string>): ServiceMap {
  const nodes = new Map<string, ServiceNode>();
  const all = [
    ...[...services].map((name): ServiceNodeRef => ({ kind: 'service', name })),
    ...edges.flatMap(({ from, to }) => [from, to]),
  ];
  for (const { kind, name } of all) nodes.set(`${kind} ${name}`, { kind, name });
  return { nodes: [...nodes.values()].sort(inOrder), edges: [...edges] };
}

function inOrder(a: ServiceNode, b: ServiceNode): number {
  if (a.name !== b.name) return a.name < b.name ? -1 : 1;
  return serviceNodeKinds.indexOf(a.kind) - serviceNodeKinds.indexOf(b.kind);
}
