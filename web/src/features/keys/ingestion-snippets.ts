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
    { id: 'curl', label: 'curl', text: curlLine(endpoint, key) },
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
    {
      id: 'java',
      label: 'Java',
      text: `curl -LO https://github.com/open-telemetry/opentelemetry-java-instrumentation/releases/latest/download/opentelemetry-javaagent.jar\n${environment}\njava -javaagent:opentelemetry-javaagent.jar -jar app.jar`,
    },
    { id: 'go', label: 'Go', text: goProgram(environment) },
    {
      id: 'dotnet',
      label: '.NET',
      text: `curl -LO https://github.com/open-telemetry/opentelemetry-dotnet-instrumentation/releases/latest/download/otel-dotnet-auto-install.sh\nsh ./otel-dotnet-auto-install.sh\n. $HOME/.otel-dotnet-auto/instrument.sh\n${environment}\ndotnet run`,
    },
  ];
}

/** One log event of now, so that something is there before any program has been changed. */
function curlLine(endpoint: string, key: string): string {
  const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'my-service' } }] };
  const record = { timeUnixNano: 'NOW', severityText: 'INFO', body: { stringValue: 'Hello from curl' } };
  const body = JSON.stringify({ resourceLogs: [{ resource, scopeLogs: [{ logRecords: [record] }] }] });
  return [
    `curl ${endpoint}/v1/logs \\`,
    `  -H 'Authorization: ${key}' -H 'Content-Type: application/json' \\`,
    `  -d '${body.replace('NOW', "'$(date +%s)'000000000")}'`,
  ].join('\n');
}

function goProgram(environment: string): string {
  return `go get go.opentelemetry.io/otel/sdk go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp
${environment}

// In main(); the exporter reads the environment above.
exporter, err := otlptracehttp.New(ctx)
if err != nil {
	log.Fatal(err)
}
provider := sdktrace.NewTracerProvider(sdktrace.WithBatcher(exporter))
defer provider.Shutdown(ctx)
otel.SetTracerProvider(provider)`;
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
