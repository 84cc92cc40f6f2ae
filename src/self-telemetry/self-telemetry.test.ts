import { describe, expect, it } from 'vitest';
import { FakeClock } from '../kernel/fake-clock.ts';
import { RecordingLogger } from '../kernel/recording-logger.ts';
import type { MetricFamily } from './metric-data.ts';
import { SelfTelemetry, type SelfTelemetrySink, type Signal } from './self-telemetry.ts';

class RecordingSelfSink implements SelfTelemetrySink {
  readonly requests: { signal: Signal; request: object }[] = [];
  refuse = false;

  async accept(signal: Signal, request: object): Promise<void> {
    if (this.refuse) throw new Error('full');
    this.requests.push({ signal, request });
  }

  text(signal: Signal): string {
    return JSON.stringify(this.requests.filter((sent) => sent.signal === signal));
  }
}

function setUp(families: MetricFamily[] = []) {
  const clock = new FakeClock();
  const sink = new RecordingSelfSink();
  const dropped: string[] = [];
  const telemetry = new SelfTelemetry({
    sink,
    clock,
    version: '1.2.3',
    instanceId: 'one',
    readMetrics: async () => families,
    onDropped: (signal, reason, records) => void dropped.push(`${signal} ${reason} ${records}`),
  });
  return { clock, sink, telemetry, dropped };
}

describe('the program’s own telemetry', () => {
  it('copies log lines, with the context of their logger, once a second', async () => {
    const { clock, sink, telemetry } = setUp();
    const base = new RecordingLogger();
    telemetry.start();
    telemetry.tee(base).child({ requestId: 'r1' }).warn({ status: 503 }, 'engine restarts');
    await clock.advance(1_000);
    expect(base.lines).toEqual([
      { level: 'warn', message: 'engine restarts', fields: { requestId: 'r1', status: 503 } },
    ]);
    const sent = sink.text('logs');
    for (const part of [
      'engine restarts',
      '"requestId"',
      '"r1"',
      '"severityText":"warn"',
      '"intValue":"503"',
      '"signalbox"',
    ]) {
      expect(sent).toContain(part);
    }
  });

  it('leaves debug lines out of the store', async () => {
    const { sink, telemetry } = setUp();
    telemetry.tee(new RecordingLogger()).debug({}, 'noise');
    await telemetry.flush();
    expect(sink.text('logs')).toBe('[]');
  });

  it('reports finished work as spans', async () => {
    const { sink, telemetry } = setUp();
    telemetry.recordSpan({
      name: 'GET /dashboards',
      kind: 'server',
      traceId: 'a'.repeat(32),
      spanId: 'b'.repeat(16),
      startMs: 1000,
      endMs: 1002.5,
      failed: true,
      attributes: { 'http.response.status_code': 500 },
    });
    await telemetry.flush();
    expect(sink.text('traces')).toContain(
      '"startTimeUnixNano":"1000000000","endTimeUnixNano":"1002500000","status":{"code":2}',
    );
  });

  it('continues after a rejection by the store, and sends what follows', async () => {
    const { sink, telemetry } = setUp();
    sink.refuse = true;
    telemetry.recordLog('info', {}, 'lost');
    await telemetry.flush();
    sink.refuse = false;
    telemetry.recordLog('info', {}, 'kept');
    await telemetry.flush();
    expect(sink.text('logs')).toContain('kept');
    expect(sink.text('logs')).not.toContain('lost');
  });

  it('counts lost records: rejected by the store, or the oldest beyond the buffer', async () => {
    const { sink, telemetry, dropped } = setUp();
    sink.refuse = true;
    for (let line = 0; line < 3; line++) telemetry.recordLog('info', {}, 'lost');
    await telemetry.flush();
    expect(dropped).toEqual(['logs refused 3']);
    sink.refuse = false;
    for (let line = 0; line < 5_001; line++) telemetry.recordLog('info', {}, `line ${line}.`);
    expect(dropped).toEqual(['logs refused 3', 'logs full 1']);
    await telemetry.flush();
    expect(sink.text('logs')).not.toContain('line 0.');
    expect(sink.text('logs')).toContain('line 5000.');
  });

  it('sends what is left when it stops, and nothing afterwards', async () => {
    const { sink, telemetry } = setUp();
    telemetry.recordLog('info', {}, 'last words');
    await telemetry.stop();
    telemetry.recordLog('info', {}, 'too late');
    await telemetry.flush();
    expect(sink.text('logs')).toContain('last words');
    expect(sink.text('logs')).not.toContain('too late');
  });
});

describe('metrics of the registry as OTLP', () => {
  it('counters are cumulative monotonic sums, gauges gauges', async () => {
    const { sink, telemetry } = setUp([
      { name: 'requests_total', help: 'Requests.', type: 'counter', values: [{ value: 3, labels: { route: '/x' } }] },
      { name: 'memory_bytes', help: 'Memory.', type: 'gauge', values: [{ value: 1.5, labels: {} }] },
    ]);
    await telemetry.flush();
    const sent = sink.text('metrics');
    expect(sent).toContain('"sum":{"aggregationTemporality":2,"dataPoints":');
    expect(sent).toContain('"isMonotonic":true');
    expect(sent).toContain('"asDouble":1.5');
  });

  it('histogram buckets are differences of the cumulative ones, with one more count than bounds', async () => {
    const bucket = (le: number | string, value: number) => ({
      metricName: 'd_bucket',
      value,
      labels: { le, route: '/x' },
    });
    const { sink, telemetry } = setUp([
      {
        name: 'd',
        help: 'Duration.',
        type: 'histogram',
        values: [
          bucket(0.1, 2),
          bucket(1, 5),
          bucket('+Inf', 6),
          { metricName: 'd_sum', value: 7.5, labels: { route: '/x' } },
          { metricName: 'd_count', value: 6, labels: { route: '/x' } },
        ],
      },
    ]);
    await telemetry.flush();
    expect(sink.text('metrics')).toContain(
      '"count":"6","sum":7.5,"explicitBounds":[0.1,1],"bucketCounts":["2","3","1"]',
    );
  });
});
