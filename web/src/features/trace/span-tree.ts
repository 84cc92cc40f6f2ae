/** A span as the waterfall draws it; times in nanoseconds since the trace's first instant. */
export interface Span {
  spanId: string;
  parentSpanId: string;
  name: string;
  kind: string;
  service: string;
  status: string;
  statusMessage: string;
  startNs: number;
  durationNs: number;
  events: readonly SpanEvent[];
  attributes: Record<string, unknown>;
  /** ISO 8601 with nanoseconds. */
  time: string;
}

export interface SpanEvent {
  name: string;
  atNs: number;
  attributes: Record<string, unknown>;
}

export interface SpanNode {
  span: Span;
  /** Unlike any other of the trace, also when span ids repeat. */
  key: string;
  depth: number;
  parentKey: string | undefined;
  children: SpanNode[];
  /** Its parent was not found: not sampled, or not there yet. */
  isOrphan: boolean;
  /** Duration without the time in which a child ran. */
  selfNs: number;
}

export const isError = ({ status }: Span): boolean => /error/i.test(status);

/**
 * Spans as trees by parent, children in the order of their start. Spans that refer to a missing span, to themselves or
 * in a circle are at the top, so that no span is lost.
 */
export function buildSpanTree(spans: readonly Span[]): SpanNode[] {
  const ordered = [...spans].sort((a, b) => a.startNs - b.startNs || b.durationNs - a.durationNs);
  const firstOfId = new Map<string, Span>();
  for (const span of ordered) if (!firstOfId.has(span.spanId)) firstOfId.set(span.spanId, span);
  const childrenOf = new Map<Span, Span[]>();
  const roots: Span[] = [];
  for (const span of ordered) {
    const parent = firstOfId.get(span.parentSpanId);
    const siblings = parent && !leadsBack(span, firstOfId) ? (childrenOf.get(parent) ?? []) : roots;
    siblings.push(span);
    if (parent && siblings !== roots) childrenOf.set(parent, siblings);
  }
  const keys = new Map(ordered.map((span, index) => [span, `${index}`]));
  const toNode = (span: Span, depth: number, parentKey: string | undefined): SpanNode => {
    const key = keys.get(span) ?? '';
    const children = (childrenOf.get(span) ?? []).map((child) => toNode(child, depth + 1, key));
    const isOrphan = depth === 0 && span.parentSpanId !== '';
    return { span, key, depth, parentKey, children, isOrphan, selfNs: selfTime(span, children) };
  };
  return roots.map((span) => toNode(span, 0, undefined));
}

/** True for the earliest span of a circle: there it is cut. */
function leadsBack(span: Span, firstOfId: ReadonlyMap<string, Span>): boolean {
  const seen = new Set<Span>();
  for (let at = firstOfId.get(span.parentSpanId); at && !seen.has(at); at = firstOfId.get(at.parentSpanId)) {
    if (at === span) return true;
    seen.add(at);
  }
  return false;
}

function selfTime(span: Span, children: readonly SpanNode[]): number {
  const endNs = span.startNs + span.durationNs;
  let covered = 0;
  let reached = span.startNs;
  for (const { span: child } of children) {
    const from = Math.max(child.startNs, reached);
    const to = Math.min(child.startNs + child.durationNs, endNs);
    if (to <= from) continue;
    covered += to - from;
    reached = to;
  }
  return span.durationNs - covered;
}

/** The rows that are shown: a collapsed node hides everything below it. */
export function visibleNodes(roots: readonly SpanNode[], collapsed: ReadonlySet<string>): SpanNode[] {
  const rows: SpanNode[] = [];
  const stack = [...roots].reverse();
  for (let node = stack.pop(); node; node = stack.pop()) {
    rows.push(node);
    if (!collapsed.has(node.key)) stack.push(...[...node.children].reverse());
  }
  return rows;
}

export interface TraceNumbers {
  totalNs: number;
  spans: number;
  errors: number;
  depth: number;
  /** Time in which a service itself was at work, the largest first. */
  services: { name: string; selfNs: number; spans: number }[];
  /** Where most time is spent. */
  slowest: SpanNode | undefined;
}

export function measureTrace(roots: readonly SpanNode[]): TraceNumbers {
  const all = visibleNodes(roots, new Set());
  const services = new Map<string, { name: string; selfNs: number; spans: number }>();
  for (const { span, selfNs } of all) {
    const service = services.get(span.service) ?? { name: span.service, selfNs: 0, spans: 0 };
    services.set(span.service, { ...service, selfNs: service.selfNs + selfNs, spans: service.spans + 1 });
  }
  return {
    totalNs: all.reduce((most, { span }) => Math.max(most, span.startNs + span.durationNs), 0),
    spans: all.length,
    errors: all.filter(({ span }) => isError(span)).length,
    depth: all.reduce((most, { depth }) => Math.max(most, depth + 1), 0),
    services: [...services.values()].sort((a, b) => b.selfNs - a.selfNs),
    slowest: all.reduce<SpanNode | undefined>(
      (most, node) => (most && most.selfNs >= node.selfNs ? most : node),
      undefined,
    ),
  };
}

export type TreeKey = 'ArrowUp' | 'ArrowDown' | 'ArrowLeft' | 'ArrowRight' | 'Home' | 'End';

export interface TreePlace {
  selected: string | undefined;
  collapsed: ReadonlySet<string>;
}

/** Where a key leads: up and down through the rows, left closes or goes to the parent, right opens or goes in. */
export function moveInTree(rows: readonly SpanNode[], place: TreePlace, key: TreeKey): TreePlace {
  const at = rows.findIndex((node) => node.key === place.selected);
  const node = rows[at];
  const select = (target: SpanNode | undefined): TreePlace => (target ? { ...place, selected: target.key } : place);
  if (key === 'Home' || !node) return select(rows[0]);
  if (key === 'End') return select(rows.at(-1));
  if (key === 'ArrowUp') return select(rows[at - 1]);
  if (key === 'ArrowDown') return select(rows[at + 1]);
  const isOpen = node.children.length > 0 && !place.collapsed.has(node.key);
  if (key === 'ArrowLeft' && isOpen) return { ...place, collapsed: new Set([...place.collapsed, node.key]) };
  if (key === 'ArrowLeft') return select(rows.find((each) => each.key === node.parentKey));
  if (isOpen) return select(node.children[0]);
  return { ...place, collapsed: new Set([...place.collapsed].filter((each) => each !== node.key)) };
}
