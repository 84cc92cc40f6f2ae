//! Sends one log, one span and one counter through the OpenTelemetry SDK, over the transport that is asked for.

use opentelemetry::logs::{AnyValue, LogRecord, Logger, LoggerProvider, Severity};
use opentelemetry::metrics::MeterProvider;
use opentelemetry::trace::{Span, Tracer, TracerProvider};
use opentelemetry_otlp::{LogExporter, MetricExporter, SpanExporter};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::logs::SdkLoggerProvider;
use opentelemetry_sdk::metrics::SdkMeterProvider;
use opentelemetry_sdk::trace::SdkTracerProvider;
use std::error::Error;

type Exporters = (LogExporter, SpanExporter, MetricExporter);

fn exporters(transport: &str) -> Result<Exporters, Box<dyn Error>> {
    Ok(if transport == "grpc" {
        (
            LogExporter::builder().with_tonic().build()?,
            SpanExporter::builder().with_tonic().build()?,
            MetricExporter::builder().with_tonic().build()?,
        )
    } else {
        (
            LogExporter::builder().with_http().build()?,
            SpanExporter::builder().with_http().build()?,
            MetricExporter::builder().with_http().build()?,
        )
    })
}

fn send(transport: &str, service: String) -> Result<(), Box<dyn Error>> {
    let (logs, spans, metrics) = exporters(transport)?;
    let resource = Resource::builder().with_service_name(service.clone()).build();
    let loggers = SdkLoggerProvider::builder()
        .with_resource(resource.clone())
        .with_batch_exporter(logs)
        .build();
    let tracers = SdkTracerProvider::builder()
        .with_resource(resource.clone())
        .with_batch_exporter(spans)
        .build();
    let meters = SdkMeterProvider::builder()
        .with_resource(resource)
        .with_periodic_exporter(metrics)
        .build();

    let mut span = tracers.tracer("interop").start("checkout");
    let logger = loggers.logger("interop");
    let mut record = logger.create_log_record();
    record.set_severity_number(Severity::Error);
    record.set_body(AnyValue::from("order 42 failed"));
    logger.emit(record);
    span.end();
    let meter = meters.meter("interop");
    meter.u64_counter(format!("{service}.orders")).build().add(3, &[]);

    loggers.shutdown()?;
    tracers.shutdown()?;
    meters.shutdown()?;
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut argv = std::env::args().skip(1);
    let (transport, service) = (argv.next().ok_or("no transport")?, argv.next().ok_or("no service")?);
    // gRPC needs a runtime, and the client of HTTP must not be in one.
    let runtime = tokio::runtime::Runtime::new()?;
    let _inside = (transport == "grpc").then(|| runtime.enter());
    send(&transport, service)
}
