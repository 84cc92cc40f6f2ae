import type { Span } from './random-spans.ts';
import { slowMeasures, type WeightOf } from './slow-services.ts';

interface Node {
  kind: string;
  name: string;
}

const outgoing = new Set<Span['SpanKind']>(['Client', 'Producer']);

/** What a call goes to, as the semantic conventions name it. */
function slowSystem({ SpanAttributes: a }: Span): Node {
  const address = a['server.address'] ?? a['net.peer.name'] ?? '';
  const named = (system: string, part: string) => (part === '' ? system : `${system} ${part}`);
  if (a['messaging.system']) {
    const destination = a['messaging.destination.name'] ?? a['messaging.destination'] ?? address;
    return { kind: 'messaging', name: named(a['messaging.system'], destination) };
  }
  const system = a['db.system.name'] ?? a['db.system'];
  if (system) return { kind: 'database', name: named(system, a['db.namespace'] ?? a['db.name'] ?? address) };
  return { kind: 'external', name: a['peer.service'] ?? (address || (a['rpc.service'] ?? '')) };
}

/** All edges, those with most calls first, and how many calls go to something without a name. */
export function slowEdges(
  spans: readonly Span[],
  { startMs, endMs }: { startMs: number; endMs: number },
  { weightOf, isThere }: { weightOf: WeightOf; isThere: (span: Span) => boolean },
) {
  const within = ({ TimestampMs }: Span) => TimestampMs >= startMs && TimestampMs < endMs;
  const isNear = ({ TimestampMs }: Span) => TimestampMs >= startMs - 60_000 && TimestampMs < endMs + 600_000;
  const services = new Set(spans.filter(within).map(({ ServiceName }) => ServiceName));
  const parents = new Map(spans.map((span) => [`${span.TraceId} ${span.SpanId}`, span]));
  const calls = new Map<string, Span[]>();
  const add = (from: Node, to: Node, measuredBy: string, span: Span): void => {
    const key = JSON.stringify({ from, to, measuredBy });
    calls.set(key, [...(calls.get(key) ?? []), span]);
  };
  const service = (name: string): Node => ({ kind: 'service', name });
  const hasCallBelow = new Set<Span>();
  for (const span of spans.filter(isNear)) {
    const parent = parents.get(`${span.TraceId} ${span.ParentSpanId}`);
    if (!parent || span.SpanKind === 'Internal' || span.SpanKind === 'Consumer') continue;
    hasCallBelow.add(parent);
    const arrives = span.SpanKind === 'Server' && within(parent) && parent.SpanKind !== 'Internal' && isThere(span);
    if (arrives && parent.ServiceName !== span.ServiceName) {
      add(service(parent.ServiceName), service(span.ServiceName), 'callee', span);
    }
  }
  for (const span of spans.filter((each) => within(each) && isThere(each))) {
    const system = slowSystem(span);
    const target = system.kind === 'external' && services.has(system.name) ? service(system.name) : system;
    const sender = system.kind === 'messaging' ? system : { kind: 'external', name: '' };
    if (span.SpanKind === 'Consumer') add(sender, service(span.ServiceName), 'callee', span);
    if (outgoing.has(span.SpanKind) && !hasCallBelow.has(span)) add(service(span.ServiceName), target, 'caller', span);
  }
  const seconds = (endMs - startMs) / 1000;
  const all = [...calls].map(([key, own]) => ({
    ...(JSON.parse(key) as { from: Node; to: Node; measuredBy: string }),
    ...slowMeasures(own, seconds, weightOf),
  }));
  const isNamed = ({ from, to }: { from: Node; to: Node }) => from.name !== '' && to.name !== '';
  const order = ({ from, to, measuredBy }: (typeof all)[number]) =>
    JSON.stringify([from.name, to.name, from.kind, to.kind, measuredBy]);
  return {
    edges: all.filter(isNamed).sort((a, b) => b.requests - a.requests || (order(a) < order(b) ? -1 : 1)),
    unnamed: all.filter((edge) => !isNamed(edge)).reduce((sum, { requests }) => sum + requests, 0),
  };
}
