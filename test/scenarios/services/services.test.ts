import { beforeAll, describe, expect, it } from 'vitest';
import type {
  Service,
  ServiceError,
  ServiceListMeta,
  ServiceMap,
  ServiceMapMeta,
} from '../../../src/contract/services.ts';
import { TestApi } from '../../../src/http/testing.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { sampledTraceOf } from '../../../src/query/sampled-traces.ts';
import { serviceOperations } from '../../../src/resources/services/operations/service-operations.ts';
import { ServiceMapReader } from '../../../src/resources/services/service-map-reader.ts';
import { ServiceReports } from '../../../src/resources/services/service-reports.ts';
import { Random } from '../../query/brute-force/random.ts';
import { ChartApi, limits, minuteMs, otherTenant, t0, tenant } from '../charts/chart-api.ts';
import { insertRows, startStore } from '../charts/telemetry-rows.ts';
import { firstMs, lastMs, randomSpans, type Span } from './random-spans.ts';
import { slowEdges } from './slow-map.ts';
import { slowBasis, slowGroups, type WeightOf } from './slow-services.ts';

/** Another seed makes other spans. */
const seed = 20_261_201;
const random = new Random(seed);
const spans = randomSpans(random, 250);

let api: TestApi;
/** Reads maps from the sample. */
let thriftyApi: TestApi;
let sampledTraces: ReadonlySet<string>;
let sourceId: string;
let foreignId: string;
let logsId: string;
const [sampledId, namelessId, brokenId, otherIdsId] = [...'abcd'].map((digit) => digit.repeat(24)) as [
  string,
  string,
  string,
  string,
];

beforeAll(async () => {
  const engine = await startStore();
  await insertRows(
    engine.client,
    'otel.otel_traces',
    spans.map((span) => ({ ...span })),
  );
  const charts = await ChartApi.over({ runner: engine.queryRunner, schemas: engine.tableSchemas });
  const { readable, sources } = charts.parts;
  api = new TestApi(
    'selfHosted',
    serviceOperations(
      new ServiceReports({ sources: readable, limits, clock: systemClock }),
      new ServiceMapReader({ sources: readable, limits, clock: systemClock }),
    ),
  );
  thriftyApi = new TestApi(
    'selfHosted',
    serviceOperations(
      new ServiceReports({ sources: readable, limits, clock: systemClock }),
      new ServiceMapReader({ sources: readable, limits, clock: systemClock, exactSpansMax: 20 }),
    ),
  );
  const ids = `SELECT DISTINCT TraceId FROM otel.otel_traces WHERE cityHash64(TraceId) % ${sampledTraceOf} = 0`;
  const { columns } = await engine.client.query(ids, { timeoutMs: 10_000 });
  sampledTraces = new Set(columns[0]?.map(String));
  sourceId = await charts.sourceId('trace');
  foreignId = await charts.sourceId('trace', otherTenant);
  logsId = await charts.sourceId('log');
  const own = await sources.find(tenant.id, sourceId);
  if (own?.kind !== 'trace') throw new Error('there is no trace source');
  await sources.insert(tenant.id, { ...own, id: sampledId, sampleRateExpression: "SpanAttributes['n']" });
  await sources.insert(tenant.id, { ...own, id: namelessId, serviceNameExpression: ' ' });
  await sources.insert(tenant.id, { ...own, id: otherIdsId, spanIdExpression: 'upper(SpanId)' });
  await sources.insert(tenant.id, { ...own, id: brokenId, durationExpression: 'Duration +' });
});

const range = { startTime: t0, endTime: t0 + 60 * minuteMs };
const period = { startMs: range.startTime, endMs: range.endTime };
const once: WeightOf = () => 1;
const sampled: WeightOf = ({ SpanAttributes }) => Number(SpanAttributes.n);

async function ask<Data>(
  path: string,
  body: object = {},
): Promise<{ data: Data; meta: ServiceListMeta & ServiceMapMeta }> {
  const answer = await api.send('POST', path, { body: { sourceId, ...range, ...body } });
  if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.body}`);
  return answer.json as { data: Data; meta: ServiceListMeta & ServiceMapMeta };
}

function basisIn(read: readonly Span[]) {
  return (name: string) => slowBasis(read.filter(({ ServiceName }) => ServiceName === name));
}

/** Equal but for the last digits of quotients. */
function rounded(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_, item) =>
    typeof item === 'number' ? Number(item.toPrecision(12)) : item,
  );
}

const isBefore = ({ TimestampMs }: Span) => TimestampMs >= firstMs + 60 * minuteMs && TimestampMs < lastMs;
const isNotHealth = ({ SpanName }: Span) => SpanName !== 'GET /health';

describe(`services (seed ${seed})`, () => {
  it.each<[string, () => object, WeightOf, (span: Span) => boolean]>([
    ['all spans', () => ({}), once, () => true],
    ['spans that stand for several', () => ({ sourceId: sampledId }), sampled, () => true],
    ['without health checks', () => ({ where: '-SpanName:"GET /health"' }), once, isNotHealth],
    [
      'without health checks, in SQL, of a sampled source',
      () => ({ sourceId: sampledId, where: "SpanName != 'GET /health'", whereLanguage: 'sql' }),
      sampled,
      isNotHealth,
    ],
  ])('%s: rates, errors and durations are those of a loop over the spans', async (_, body, weightOf, isThere) => {
    const { data, meta } = await ask<Service[]>('/services', body());
    const read = spans.filter((span) => isBefore(span) && isThere(span));
    const expected = slowGroups(read, period, {
      nameOf: ({ ServiceName }) => ServiceName,
      basisOf: basisIn(read),
      weightOf,
    });
    expect(rounded(data)).toEqual(rounded(expected));
    expect(new Set(data.map(({ basis }) => basis))).toEqual(new Set(['entry', 'root', 'all']));
    expect(meta.total).toBe(data.length);
  });

  it.each(['cart', 'it’s "x"', 'job', 'browser'])('operations of %s', async (service) => {
    for (const [id, weightOf] of [
      [sourceId, once],
      [sampledId, sampled],
    ] as const) {
      const { data } = await ask<Service[]>('/services/operations', { sourceId: id, service });
      const read = spans.filter((span) => isBefore(span) && span.ServiceName === service);
      const basis = slowBasis(read);
      const nameOf = ({ SpanName }: Span) => SpanName;
      expect(rounded(data)).toEqual(rounded(slowGroups(read, period, { nameOf, basisOf: () => basis, weightOf })));
    }
  });

  it('an operation and its service count the same requests', async () => {
    const { data } = await ask<Service[]>('/services');
    for (const { name, requests, errors } of data) {
      const { data: operations } = await ask<Service[]>('/services/operations', { service: name });
      const sum = (of: (each: Service) => number) => operations.reduce((all, each) => all + of(each), 0);
      expect([name, sum((each) => each.requests), sum((each) => each.errors)]).toEqual([name, requests, errors]);
    }
  });

  it('the limit keeps those with most requests', async () => {
    const all = await ask<Service[]>('/services');
    const few = await ask<Service[]>('/services', { limit: 2 });
    expect(few.data).toEqual(all.data.slice(0, 2));
    expect(few.meta.total).toBe(all.data.length);
  });

  it('nothing is found where nothing is', async () => {
    const long = { startTime: t0 - 400 * minuteMs, endTime: t0 - 390 * minuteMs };
    expect((await ask<Service[]>('/services', long)).data).toEqual([]);
    expect((await ask<Service[]>('/services/operations', { service: 'nowhere' })).data).toEqual([]);
    expect((await ask<ServiceError[]>('/services/errors', { service: 'nowhere' })).data).toEqual([]);
  });
});

describe(`service map (seed ${seed})`, () => {
  const whole = { startTime: firstMs, endTime: lastMs };
  it.each<[string, () => object, WeightOf, (span: Span) => boolean]>([
    ['an hour', () => ({}), once, () => true],
    ['all hours', () => whole, once, () => true],
    ['spans that stand for several', () => ({ ...whole, sourceId: sampledId }), sampled, () => true],
    ['without health checks', () => ({ where: '-SpanName:"GET /health"' }), once, isNotHealth],
  ])('%s: calls are those of a loop over the spans', async (_, body, weightOf, isThere) => {
    const { data, meta } = await ask<ServiceMap>('/services/map', body());
    const { startTime, endTime } = { ...range, ...body() };
    const { edges, unnamed } = slowEdges(spans, { startMs: startTime, endMs: endTime }, { weightOf, isThere });
    expect(rounded(data.edges)).toEqual(rounded(edges));
    expect([meta.total, meta.unnamed]).toEqual([edges.length, unnamed]);
    const within = ({ TimestampMs }: Span) => TimestampMs >= startTime && TimestampMs < endTime;
    const names = new Set(spans.filter(within).map(({ ServiceName }) => ServiceName));
    const nodes = data.nodes.filter(({ kind }) => kind === 'service').map(({ name }) => name);
    expect(nodes).toEqual(expect.arrayContaining([...names]));
  });

  it('maps of adjacent ranges add up', async () => {
    const at = t0 - 17 * minuteMs - 123;
    const [left, right, both] = await Promise.all([
      ask<ServiceMap>('/services/map', { startTime: firstMs, endTime: at }),
      ask<ServiceMap>('/services/map', { startTime: at, endTime: lastMs }),
      ask<ServiceMap>('/services/map', whole),
    ]);
    const counts = (maps: { data: ServiceMap }[]) => {
      const found = new Map<string, number>();
      for (const { from, to, measuredBy, requests } of maps.flatMap(({ data }) => data.edges)) {
        const key = JSON.stringify([from, to, measuredBy]);
        found.set(key, (found.get(key) ?? 0) + requests);
      }
      return found;
    };
    expect(counts([left, right])).toEqual(counts([both]));
  });

  it('databases, topics and others are found by old names and new ones', async () => {
    const { data } = await ask<ServiceMap>('/services/map', whole);
    expect(data.nodes.filter(({ kind }) => kind !== 'service')).toEqual([
      { kind: 'external', name: 'billing' },
      { kind: 'messaging', name: 'kafka orders' },
      { kind: 'database', name: 'postgresql shop' },
      { kind: 'messaging', name: 'rabbitmq' },
      { kind: 'database', name: 'redis cache' },
      { kind: 'external', name: 'shop.Prices' },
    ]);
  });

  it('the limit keeps the most frequent calls', async () => {
    const all = await ask<ServiceMap>('/services/map');
    const few = await ask<ServiceMap>('/services/map', { limit: 3 });
    expect(few.data.edges).toEqual(all.data.edges.slice(0, 3));
  });
});

describe(`a map of a sample (seed ${seed})`, () => {
  const whole = { startTime: firstMs, endTime: lastMs };
  it.each<[string, () => object, WeightOf, (span: Span) => boolean]>([
    ['all hours', () => ({}), once, () => true],
    ['spans that stand for several', () => ({ sourceId: sampledId }), sampled, () => true],
    ['without health checks', () => ({ where: '-SpanName:"GET /health"' }), once, isNotHealth],
  ])('%s: calls are those of the traces in it', async (_, body, weightOf, isThere) => {
    const { status, json } = await thriftyApi.send('POST', '/services/map', {
      body: { sourceId, ...whole, ...body() },
    });
    const { data, meta } = json as { data: ServiceMap; meta: ServiceMapMeta };
    const read = spans.filter(({ TraceId }) => sampledTraces.has(TraceId));
    const { edges, unnamed } = slowEdges(read, { startMs: firstMs, endMs: lastMs }, { weightOf, isThere });
    expect(edges.length).toBeGreaterThan(10);
    expect([status, meta.traceShare, meta.total]).toEqual([200, 1 / sampledTraceOf, edges.length]);
    expect(meta.unnamed).toBe(unnamed * sampledTraceOf);
    const times = (count: number) => count * sampledTraceOf;
    const expected = edges.map(({ requests, rate, errors, ...edge }) => ({
      ...edge,
      ...{ requests: times(requests), rate: times(rate), errors: times(errors) },
    }));
    expect(rounded(data.edges)).toEqual(rounded(expected));
    const nodes = data.nodes.filter(({ kind }) => kind === 'service').map(({ name }) => name);
    expect(nodes).toEqual(expect.arrayContaining([...new Set(spans.map(({ ServiceName }) => ServiceName))]));
  });

  it('a short range is read whole, and so is a source that reads other ids', async () => {
    const short = { startTime: firstMs, endTime: firstMs + 1000 };
    const { json } = await thriftyApi.send('POST', '/services/map', { body: { sourceId, ...short } });
    const other = await thriftyApi.send('POST', '/services/map', { body: { ...whole, sourceId: otherIdsId } });
    const metas = [json, other.json].map((answer) => (answer as { meta: ServiceMapMeta }).meta.traceShare);
    expect(metas).toEqual([1, 1]);
  });
});

describe('errors of a service', () => {
  const typeOf = ({ SpanAttributes, StatusMessage, ...span }: Span): string =>
    span['Events.Attributes'][1]?.['exception.type'] ?? SpanAttributes['error.type'] ?? StatusMessage;
  const isError = (span: Span) => span.StatusCode === 'Error' || span['Events.Name'].includes('exception');

  it.each(['cart', 'shop', 'it’s "x"'])('%s: by type, with the last of each', async (service) => {
    const { data } = await ask<ServiceError[]>('/services/errors', { service });
    const own = spans.filter(
      (span) =>
        span.ServiceName === service &&
        span.TimestampMs >= range.startTime &&
        span.TimestampMs < range.endTime &&
        isError(span),
    );
    expect(data.length).toBeGreaterThan(2);
    expect(data.map(({ type }) => type).sort()).toEqual([...new Set(own.map(typeOf))].sort());
    for (const { type, spans: count, traces, firstAt, lastAt, lastTraceId } of data) {
      const same = own.filter((span) => typeOf(span) === type);
      const times = same.map(({ TimestampMs }) => TimestampMs);
      const last = same.filter(({ TimestampMs }) => TimestampMs === Math.max(...times));
      expect([count, traces]).toEqual([same.length, new Set(same.map(({ TraceId }) => TraceId)).size]);
      expect([Date.parse(firstAt), Date.parse(lastAt)]).toEqual([Math.min(...times), Math.max(...times)]);
      expect(last.map(({ TraceId }) => TraceId)).toContain(lastTraceId);
    }
    expect(data.map(({ spans: count }) => count)).toEqual(data.map(({ spans: count }) => count).sort((a, b) => b - a));
  });

  it('a span of a sampled source counts as often as it weighs', async () => {
    const all = await ask<ServiceError[]>('/services/errors', { service: 'cart' });
    const weighted = await ask<ServiceError[]>('/services/errors', { service: 'cart', sourceId: sampledId });
    const sum = ({ data }: { data: ServiceError[] }) => data.reduce((total, each) => total + each.spans, 0);
    expect(sum(weighted)).toBeGreaterThan(sum(all));
  });
});

describe('what cannot be answered', () => {
  it.each<[() => object, RegExp]>([
    [() => ({ sourceId: logsId }), /^sourceId: the source "Logs" is of kind log; services are found in traces/],
    [() => ({ sourceId: namelessId }), /has no serviceNameExpression/],
    [() => ({ sourceId: brokenId }), /^The source "Traces" can't be read: durationExpression: .*position/],
    [() => ({ where: '(' }), /^where: /],
    [() => ({ startTime: t0, endTime: t0 }), /^endTime: must be later/],
    [() => ({ limit: 0 }), /limit/],
  ])('%o is rejected with its place', async (body, message) => {
    for (const path of ['/services', '/services/operations', '/services/errors', '/services/map']) {
      const service = path === '/services' || path === '/services/map' ? {} : { service: 'cart' };
      const { status, json } = await api.send('POST', path, { body: { sourceId, ...range, ...service, ...body() } });
      if (path === '/services/errors' && /duration/.test(message.source)) continue;
      expect([path, status, (json as { message: string }).message]).toEqual([
        path,
        400,
        expect.stringMatching(message),
      ]);
    }
  });

  it('another tenant’s source looks like a missing one (decisions F2)', async () => {
    expect((await api.send('POST', '/services', { body: { ...range, sourceId: foreignId } })).status).toBe(404);
  });
});
