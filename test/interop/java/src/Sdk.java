import io.opentelemetry.api.logs.Severity;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import java.util.concurrent.TimeUnit;

/** Sends one log, one span and one counter through the OpenTelemetry SDK, over the transport that is asked for. */
public final class Sdk {
  public static void main(String[] argv) {
    System.setProperty("otel.exporter.otlp.protocol", argv[0].equals("grpc") ? "grpc" : "http/protobuf");
    System.setProperty("otel.service.name", argv[1]);
    var sdk = AutoConfiguredOpenTelemetrySdk.initialize().getOpenTelemetrySdk();
    var span = sdk.getTracer("interop").spanBuilder("checkout").startSpan();
    try (var scope = span.makeCurrent()) {
      sdk.getLogsBridge().get("interop").logRecordBuilder()
          .setSeverity(Severity.ERROR)
          .setBody("order 42 failed")
          .emit();
    }
    span.end();
    sdk.getMeter("interop").counterBuilder(argv[1] + ".orders").build().add(3);
    sdk.shutdown().join(20, TimeUnit.SECONDS);
  }
}
