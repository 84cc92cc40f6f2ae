import type { Random } from '../../query/brute-force/random.ts';
import { minuteMs, t0 } from '../charts/chart-api.ts';

/** A span as its table has it; keys that end in `Ms` are instants. */
export interface Span {
  TimestampMs: number;
  TraceId: string;
  SpanId: string;
  ParentSpanId: string;
  SpanName: string;
  SpanKind: 'Server' | 'Client' | 'Producer' | 'Consumer' | 'Internal';
  ServiceName: string;
  SpanAttributes: Record<string, string>;
  ResourceAttributes: Record<string, string>;
  Duration: number;
  StatusCode: 'Unset' | 'Ok' | 'Error';
  StatusMessage: string;
  'Events.Timestamp': number[];
  'Events.Name': string[];
  'Events.Attributes': Record<string, string>[];
}

export const firstMs = t0 - 2 * 60 * minuteMs;
export const lastMs = t0 + 60 * minuteMs;

const services = ['cart', 'shop', 'it’s "x"', 'job', 'browser'];
const names = ['GET /a', 'GET /health', 'orders process', 'step'];

/** `job` never has spans that receive work; `browser` has neither these nor any without a parent. */
function kindIn(service: string, random: Random): Span['SpanKind'] {
  if (service === 'job' || service === 'browser') return random.pick(['Client', 'Internal', 'Producer']);
  return random.pick(['Server', 'Server', 'Client', 'Client', 'Producer', 'Consumer', 'Internal']);
}

/** What a client or a producer calls, by many spellings. */
function callAttributes(random: Random): Record<string, string> {
  return random.pick<Record<string, string>>([
    { 'db.system': 'redis', 'net.peer.name': 'cache' },
    { 'db.system.name': 'postgresql', 'db.namespace': 'shop', 'server.address': 'pg1' },
    { 'db.system': 'postgresql', 'db.name': 'shop', 'server.address': 'pg2' },
    { 'messaging.system': 'kafka', 'messaging.destination.name': 'orders' },
    { 'messaging.system': 'kafka', 'messaging.destination': 'orders' },
    { 'messaging.system': 'rabbitmq' },
    { 'peer.service': 'billing', 'server.address': 'b1' },
    { 'server.address': 'cart' },
    { 'rpc.system': 'grpc', 'rpc.service': 'shop.Prices' },
    {},
  ]);
}

/** Trees of spans of several services; ids repeat from trace to trace. */
export function randomSpans(random: Random, traces: number): Span[] {
  return Array.from({ length: traces }, (_, trace) => randomTrace(random, `t${trace}`)).flat();
}

function randomTrace(random: Random, traceId: string): Span[] {
  const startMs = random.int(firstMs, lastMs - 1);
  const spans: Span[] = [];
  for (let index = 0; index < random.int(1, 12); index++) {
    const parent = spans.length > 0 && random.chance(0.95) ? random.pick(spans) : undefined;
    const service = parent && random.chance(0.4) ? parent.ServiceName : random.pick(services);
    const SpanKind = kindIn(service, random);
    const isLost = parent === undefined && service === 'browser';
    const hasException = random.chance(0.15);
    spans.push({
      // Clocks differ, and some work is done much later.
      TimestampMs: Math.max(
        firstMs,
        (parent?.TimestampMs ?? startMs) + (random.chance(0.1) ? random.int(-90_000, 900_000) : random.int(0, 50)),
      ),
      TraceId: traceId,
      SpanId: `s${index}`,
      ParentSpanId: parent ? parent.SpanId : isLost || random.chance(0.2) ? 'lost' : '',
      SpanName: random.pick(names),
      SpanKind,
      ServiceName: service,
      SpanAttributes: {
        n: String(random.int(1, 4)),
        ...(SpanKind === 'Server' || SpanKind === 'Internal' ? {} : callAttributes(random)),
        ...(random.chance(0.2) && { 'error.type': random.pick(['500', 'timeout']) }),
      },
      ResourceAttributes: {},
      Duration: random.int(1, 5_000_000),
      StatusCode: random.pick(['Unset', 'Unset', 'Ok', 'Error']),
      StatusMessage: random.chance(0.3) ? 'it broke' : '',
      'Events.Timestamp': hasException ? [0, 0] : [],
      'Events.Name': hasException ? ['log', 'exception'] : [],
      'Events.Attributes': hasException
        ? [{}, { 'exception.type': random.pick(['Refused', 'TypeError']), 'exception.message': `no ${index}` }]
        : [],
    });
  }
  return spans;
}
