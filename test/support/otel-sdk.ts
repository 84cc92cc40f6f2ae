import { Metadata } from '@grpc/grpc-js';
import { OTLPLogExporter as GrpcLogs } from '@opentelemetry/exporter-logs-otlp-grpc';
import { OTLPLogExporter as JsonLogs } from '@opentelemetry/exporter-logs-otlp-http';
import { OTLPLogExporter as ProtoLogs } from '@opentelemetry/exporter-logs-otlp-proto';
import { OTLPMetricExporter as GrpcMetrics } from '@opentelemetry/exporter-metrics-otlp-grpc';
import { OTLPMetricExporter as JsonMetrics } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPMetricExporter as ProtoMetrics } from '@opentelemetry/exporter-metrics-otlp-proto';
import { OTLPTraceExporter as GrpcTraces } from '@opentelemetry/exporter-trace-otlp-grpc';
import { OTLPTraceExporter as JsonTraces } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtoTraces } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';

export type Protocol = 'grpc' | 'http/protobuf' | 'http/json';
export const protocols: readonly Protocol[] = ['grpc', 'http/protobuf', 'http/json'];

export interface SdkTarget {
  otlpGrpc: string;
  otlpHttp: string;
  ingestionKey: string;
  serviceName: string;
}

/** The official OpenTelemetry JS SDK, set up as its documentation shows, for one service and protocol. */
export function startSdk(protocol: Protocol, target: SdkTarget) {
  const exporters = exportersFor(protocol, target);
  const resource = resourceFromAttributes({
    'service.name': target.serviceName,
    'deployment.environment.name': 'test',
  });
  const logs = new LoggerProvider({
    resource,
    processors: [new BatchLogRecordProcessor({ exporter: exporters.logs })],
  });
  const traces = new NodeTracerProvider({ resource, spanProcessors: [new BatchSpanProcessor(exporters.traces)] });
  const reader = new PeriodicExportingMetricReader({ exporter: exporters.metrics, exportIntervalMillis: 3_600_000 });
  const metrics = new MeterProvider({ resource, readers: [reader] });
  return {
    logger: logs.getLogger('test'),
    tracer: traces.getTracer('test'),
    meter: metrics.getMeter('test'),
    /** Resolves when the collector has acknowledged everything. */
    async flush(): Promise<void> {
      await Promise.all([logs.forceFlush(), traces.forceFlush(), metrics.forceFlush()]);
    },
    async shutdown(): Promise<void> {
      await Promise.all([logs.shutdown(), traces.shutdown(), metrics.shutdown()]);
    },
  };
}

function exportersFor(protocol: Protocol, target: SdkTarget) {
  const headers = { authorization: `Bearer ${target.ingestionKey}` };
  const url = (signal: string) => `${target.otlpHttp}/v1/${signal}`;
  switch (protocol) {
    case 'grpc': {
      const metadata = new Metadata();
      metadata.set('authorization', headers.authorization);
      const config = { url: target.otlpGrpc, metadata };
      return { logs: new GrpcLogs(config), traces: new GrpcTraces(config), metrics: new GrpcMetrics(config) };
    }
    case 'http/protobuf':
      return {
        logs: new ProtoLogs({ url: url('logs'), headers }),
        traces: new ProtoTraces({ url: url('traces'), headers }),
        metrics: new ProtoMetrics({ url: url('metrics'), headers }),
      };
    case 'http/json':
      return {
        logs: new JsonLogs({ url: url('logs'), headers }),
        traces: new JsonTraces({ url: url('traces'), headers }),
        metrics: new JsonMetrics({ url: url('metrics'), headers }),
      };
  }
}
