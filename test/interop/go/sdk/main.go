// Sends one log, one span and one counter through the OpenTelemetry SDK, over the transport that is asked for.
package main

import (
	"context"
	stdlog "log"
	"os"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlplog/otlploggrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlplog/otlploghttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetricgrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracegrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/log"
	sdklog "go.opentelemetry.io/otel/sdk/log"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/resource"
	"go.opentelemetry.io/otel/sdk/trace"
)

func main() {
	if err := send(context.Background(), os.Args[1], os.Args[2]); err != nil {
		stdlog.Fatal(err)
	}
}

type exporters struct {
	logs    sdklog.Exporter
	spans   *otlptrace.Exporter
	metrics metric.Exporter
}

func exportersFor(ctx context.Context, transport string) (made exporters, err error) {
	if transport == "grpc" {
		if made.logs, err = otlploggrpc.New(ctx); err != nil {
			return made, err
		}
		if made.spans, err = otlptracegrpc.New(ctx); err != nil {
			return made, err
		}
		made.metrics, err = otlpmetricgrpc.New(ctx)
		return made, err
	}
	if made.logs, err = otlploghttp.New(ctx); err != nil {
		return made, err
	}
	if made.spans, err = otlptracehttp.New(ctx); err != nil {
		return made, err
	}
	made.metrics, err = otlpmetrichttp.New(ctx)
	return made, err
}

func send(ctx context.Context, transport, service string) error {
	made, err := exportersFor(ctx, transport)
	if err != nil {
		return err
	}
	about := resource.NewSchemaless(attribute.String("service.name", service))
	loggers := sdklog.NewLoggerProvider(
		sdklog.WithResource(about), sdklog.WithProcessor(sdklog.NewBatchProcessor(made.logs)))
	tracers := trace.NewTracerProvider(trace.WithResource(about), trace.WithBatcher(made.spans))
	meters := metric.NewMeterProvider(
		metric.WithResource(about), metric.WithReader(metric.NewPeriodicReader(made.metrics)))

	ctx, span := tracers.Tracer("interop").Start(ctx, "checkout")
	var record log.Record
	record.SetSeverity(log.SeverityError)
	record.SetBody(attribute.StringValue("order 42 failed"))
	loggers.Logger("interop").Emit(ctx, record)
	span.End()
	orders, err := meters.Meter("interop").Int64Counter(service + ".orders")
	if err != nil {
		return err
	}
	orders.Add(ctx, 3)

	if err := loggers.Shutdown(ctx); err != nil {
		return err
	}
	if err := tracers.Shutdown(ctx); err != nil {
		return err
	}
	return meters.Shutdown(ctx)
}
