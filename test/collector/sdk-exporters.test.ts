import { Metadata } from '@grpc/grpc-js';
import { context, type HrTime, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { SeverityNumber } from '@opentelemetry/api-logs';
import { OTLPMetricExporter as GrpcMetrics } from '@opentelemetry/exporter-metrics-otlp-grpc';
import { OTLPMetricExporter as JsonMetrics } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPMetricExporter as ProtoMetrics } from '@opentelemetry/exporter-metrics-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  AggregationType,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OtlpGrpcServer } from '../../src/collector/otlp-grpc.ts';
import { OtlpHttpServer } from '../../src/collector/otlp-http.ts';
import { collectorFixture, ingestionKey } from '../../src/collector/testing/collector-fixture.ts';
import { type Protocol, protocols, startSdk } from '../support/otel-sdk.ts';

let fixture: ReturnType<typeof collectorFixture>;
let servers: { stop(): Promise<void> }[];
let otlpGrpc: string;
let otlpHttp: string;

beforeEach(async () => {
  fixture = collectorFixture();
  const grpc = new OtlpGrpcServer(fixture.options);
  const http = new OtlpHttpServer(fixture.options);
  otlpGrpc = (await grpc.start()).address;
  otlpHttp = (await http.start()).address;
  servers = [grpc, http];
});
afterEach(() => Promise.all(servers.map((server) => server.stop())));

function startShop(protocol: Protocol) {
  return startSdk(protocol, { otlpGrpc, otlpHttp, ingestionKey, serviceName: 'shop' });
}

const time: HrTime = [1_767_225_600, 123_456_789];
const timeNano = 1_767_225_600_123_456_789n;
const origin = {
  ServiceName: 'shop',
  ScopeName: 'test',
  ResourceAttributes: [
    ['service.name', 'shop'],
    ['deployment.environment.name', 'test'],
  ],
};

describe.each(protocols)('the official OpenTelemetry JS SDK over %s', (protocol) => {
  it('has its log records stored exactly', async () => {
    const sdk = startShop(protocol);
    sdk.logger.emit({
      timestamp: time,
      observedTimestamp: time,
      severityNumber: SeverityNumber.ERROR,
      severityText: 'ERROR',
      body: 'paid 12,50 € 🚨',
      attributes: { 'order.id': 'ü-1', amount: 12.5, items: 3, paid: true, tags: ['a', 'b'] },
      eventName: 'order.paid',
    });
    await sdk.flush();
    await sdk.shutdown();
    expect(fixture.storedRows().otel_logs).toMatchObject([
      {
        ...origin,
        Timestamp: timeNano,
        SeverityNumber: 17,
        SeverityText: 'ERROR',
        Body: 'paid 12,50 € 🚨',
        LogAttributes: [
          ['order.id', 'ü-1'],
          ['amount', '12.5'],
          ['items', '3'],
          ['paid', 'true'],
          ['tags', '["a","b"]'],
        ],
        EventName: 'order.paid',
        TraceId: '',
      },
    ]);
  });

  it('has its spans stored exactly', async () => {
    const sdk = startShop(protocol);
    const parent = sdk.tracer.startSpan('checkout', { kind: SpanKind.SERVER, startTime: time });
    const child = sdk.tracer.startSpan(
      'SELECT',
      { kind: SpanKind.CLIENT, startTime: time, links: [{ context: parent.spanContext(), attributes: { why: 'x' } }] },
      trace.setSpan(context.active(), parent),
    );
    child.addEvent('retry', { attempt: 2 }, time);
    child.setStatus({ code: SpanStatusCode.ERROR, message: 'time-out' });
    child.end([time[0] + 1, time[1] + 5]);
    parent.end([time[0] + 2, time[1]]);
    await sdk.flush();
    await sdk.shutdown();
    const { traceId, spanId } = parent.spanContext();
    expect(fixture.storedRows().otel_traces).toMatchObject([
      {
        ...origin,
        Timestamp: timeNano,
        TraceId: traceId,
        SpanId: child.spanContext().spanId,
        ParentSpanId: spanId,
        SpanName: 'SELECT',
        SpanKind: 'Client',
        Duration: 1_000_000_005n,
        StatusCode: 'Error',
        StatusMessage: 'time-out',
        'Events.Timestamp': [timeNano],
        'Events.Name': ['retry'],
        'Events.Attributes': [[['attempt', '2']]],
        'Links.TraceId': [traceId],
        'Links.SpanId': [spanId],
        'Links.Attributes': [[['why', 'x']]],
      },
      {
        TraceId: traceId,
        SpanId: spanId,
        ParentSpanId: '',
        SpanKind: 'Server',
        StatusCode: 'Unset',
        Duration: 2_000_000_000n,
      },
    ]);
  });

  it('has its metrics of every kind stored exactly', async () => {
    const meters = new MeterProvider({
      resource: resourceFromAttributes({ 'service.name': 'shop', 'deployment.environment.name': 'test' }),
      readers: [
        new PeriodicExportingMetricReader({ exporter: metricExporter(protocol), exportIntervalMillis: 3_600_000 }),
      ],
      views: [{ instrumentName: 'size', aggregation: { type: AggregationType.EXPONENTIAL_HISTOGRAM } }],
    });
    const meter = meters.getMeter('test');
    meter
      .createObservableGauge('temperature', { unit: 'Cel' })
      .addCallback((result) => result.observe(-0.5, { room: 'a' }));
    meter.createCounter('orders').add(3, { shop: 'ü' });
    meter.createUpDownCounter('queue').add(-2);
    const latency = meter.createHistogram('latency', { unit: 'ms', advice: { explicitBucketBoundaries: [10, 100] } });
    for (const value of [5, 50, 60]) latency.record(value);
    const size = meter.createHistogram('size');
    for (const value of [1, 2, 4]) size.record(value);
    await meters.forceFlush();
    await meters.shutdown();
    const rows = fixture.storedRows();
    expect(rows.otel_metrics_gauge?.[0]).toMatchObject({
      ...origin,
      MetricName: 'temperature',
      MetricUnit: 'Cel',
      Value: -0.5,
      Attributes: [['room', 'a']],
    });
    expect(rows.otel_metrics_sum?.slice(0, 2)).toMatchObject([
      {
        ...origin,
        MetricName: 'orders',
        Value: 3,
        IsMonotonic: true,
        AggregationTemporality: 2,
        Attributes: [['shop', 'ü']],
      },
      { ...origin, MetricName: 'queue', Value: -2, IsMonotonic: false, AggregationTemporality: 2, Attributes: [] },
    ]);
    expect(rows.otel_metrics_histogram?.[0]).toMatchObject({
      ...origin,
      Count: 3n,
      Sum: 115,
      Min: 5,
      Max: 60,
      ExplicitBounds: [10, 100],
      BucketCounts: [1n, 2n, 0n],
    });
    const exponential = rows.otel_metrics_exponential_histogram?.[0];
    expect(exponential).toMatchObject({
      ...origin,
      Count: 3n,
      Sum: 7,
      Min: 1,
      Max: 4,
      ZeroCount: 0n,
      NegativeBucketCounts: [],
    });
    const counts = exponential?.PositiveBucketCounts;
    expect(Array.isArray(counts) && counts.filter((count) => count === 1n)).toHaveLength(3);
  });
});

function metricExporter(protocol: Protocol) {
  const authorization = `Bearer ${ingestionKey}`;
  const temporalityPreference = AggregationTemporality.CUMULATIVE;
  if (protocol === 'grpc') {
    const metadata = new Metadata();
    metadata.set('authorization', authorization);
    return new GrpcMetrics({ url: otlpGrpc, metadata, temporalityPreference });
  }
  const config = { url: `${otlpHttp}/v1/metrics`, headers: { authorization }, temporalityPreference };
  return protocol === 'http/json' ? new JsonMetrics(config) : new ProtoMetrics(config);
}
