import { minute, type Row, T0 } from '../telemetry-fixture.ts';
import type { Random } from './random.ts';
import type { EventFact } from './slow-events.ts';

export const services = ['api', 'api-gw', 'billing', 'web_shop'];
export const severities = ['info', 'warn', 'error'];
export const statuses = ['Ok', 'Error', 'Unset'];
export const words = ['refused', 'timeout', 'login', 'ok', 'ähre'];
export const routes = ['/a', '/b/{id}', '/c'];
export const regions = ['eu', 'us'];
export const users = Array.from({ length: 24 }, (_, index) => `u${index}`);
const awkwardNumbers = ['abc', '', 'nan', 'inf', '1e2', '-3.5'];

/** Three hours and a half, in clusters, with rows on the edges of minutes and at equal instants. */
function randomInstant(random: Random): number {
  const minutes = random.chance(0.3) ? random.pick([0, 1, 30, 61, 120]) : random.int(-30, 180);
  const within = random.pick([0, 59_999, random.int(0, 59_999), random.int(0, 59_999)]);
  return T0 + minutes * minute + within;
}

function randomAttributes(random: Random): Record<string, string> {
  const n = random.chance(0.15) ? random.pick(awkwardNumbers) : String(random.int(-20, 60));
  return {
    ...(random.chance(0.85) && { n }),
    ...(random.chance(0.8) && { 'http.route': random.pick(routes) }),
    // Few users have many rows, so that the largest groups are known.
    ...(random.chance(0.9) && { user: users[Math.floor(users.length * random.next() ** 2)] ?? '' }),
  };
}

const randomResource = (random: Random): Record<string, string> => ({
  ...(random.chance(0.7) && { region: random.pick(regions) }),
  // Beside the record's own key of this name, which counts first.
  ...(random.chance(0.3) && { 'http.route': random.pick(routes) }),
});

export function randomLogs(random: Random, count: number): EventFact[] {
  return Array.from({ length: count }, () => ({
    atMs: randomInstant(random),
    weight: 1,
    columns: {
      ServiceName: random.pick([...services, '']),
      SeverityText: random.pick(severities),
      SeverityNumber: random.pick([1, 9, 13, 17]),
      Body: random.shuffled(words).slice(0, random.int(0, 3)).join(' '),
    },
    maps: { LogAttributes: randomAttributes(random), ResourceAttributes: randomResource(random) },
  }));
}

/** `SampleRate` 0 and 1 both mean that the span represents only itself. */
export function randomSpans(random: Random, count: number, sampled: boolean): EventFact[] {
  return Array.from({ length: count }, () => {
    const rate = sampled ? random.pick([0, 1, 1, 2, 5]) : 0;
    return {
      atMs: randomInstant(random),
      weight: Math.max(1, rate),
      columns: {
        ServiceName: random.pick([...services, '']),
        StatusCode: random.pick(statuses),
        SpanName: random.shuffled(words).slice(0, random.int(1, 2)).join(' '),
        Duration: random.int(0, 60),
        ...(sampled && { SampleRate: rate }),
      },
      maps: { SpanAttributes: randomAttributes(random), ResourceAttributes: randomResource(random) },
    };
  });
}

export const rowOfEvent = ({ atMs, columns, maps }: EventFact): Row => ({ Timestamp: atMs, ...columns, ...maps });
