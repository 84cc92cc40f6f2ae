export interface IngestionSnippet {
  /** Without spaces: it becomes part of the ids of elements. */
  id: string;
  label: string;
  text: string;
}

/**
 * How programs send telemetry with an ingestion key, ready to paste.
 * `endpoint` is the collector's OTLP/HTTP address without a path.
 */
export function ingestionSnippets(endpoint: string, key: string): IngestionSnippet[] {
  const environment = [
    `export OTEL_EXPORTER_OTLP_ENDPOINT=${endpoint}`,
    'export OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf',
    `export OTEL_EXPORTER_OTLP_HEADERS="authorization=${key}"`,
    'export OTEL_SERVICE_NAME=my-service',
  ].join('\n');
  return [
    { id: 'sdk', label: 'OpenTelemetry SDKs', text: environment },
    { id: 'collector', label: 'Collector', text: collectorYaml(endpoint, key) },
    {
      id: 'node',
      label: 'Node.js',
      text: `npm install @opentelemetry/api @opentelemetry/auto-instrumentations-node\n${environment}\nnode --require @opentelemetry/auto-instrumentations-node/register app.js`,
    },
    {
      id: 'python',
      label: 'Python',
      text: `pip install opentelemetry-distro opentelemetry-exporter-otlp\nopentelemetry-bootstrap -a install\n${environment}\nopentelemetry-instrument python app.py`,
    },
  ];
}

function collectorYaml(endpoint: string, key: string): string {
  const pipelines = ['logs', 'traces', 'metrics'].map(
    (signal) => `    ${signal}:\n      receivers: [otlp]\n      exporters: [otlphttp/signalbox]`,
  );
  return `receivers:
  otlp:
    protocols:
      grpc:
      http:
exporters:
  otlphttp/signalbox:
    endpoint: ${endpoint}
    headers:
      authorization: "${key}"
service:
  pipelines:
${pipelines.join('\n')}`;
}
