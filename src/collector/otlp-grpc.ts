import {
  type handleUnaryCall,
  Metadata,
  Server,
  ServerCredentials,
  ServerInterceptingCall,
  type ServerInterceptor,
  type ServiceDefinition,
} from '@grpc/grpc-js';
import type { IngestionAuthenticator } from '../access/authenticators.ts';
import type { Principal } from '../access/principal.ts';
import type { ByteBudget } from '../kernel/byte-budget.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/logger.ts';
import type { CollectorMetrics } from './collector-metrics.ts';
import { exportReplyProtobuf, statusProtobuf } from './encode/export-replies.ts';
import type { Intake } from './intake.ts';
import { type Refusal, toRefusal, unauthenticated, unforeseenRefusal } from './refusal.ts';
import type { Signal } from './signal.ts';

export interface OtlpGrpcOptions {
  host: string;
  /** 0 = any free port. */
  port: number;
  intake: Intake;
  authenticator: IngestionAuthenticator;
  metrics: CollectorMetrics;
  logger: Logger;
  clock: Clock;
  /** Of requests that are being received, over every port. */
  budget: ByteBudget;
  /** Of one request, decompressed. */
  messageBytesMax?: number;
}

const exportPaths: Readonly<Record<Signal, string>> = {
  logs: '/opentelemetry.proto.collector.logs.v1.LogsService/Export',
  traces: '/opentelemetry.proto.collector.trace.v1.TraceService/Export',
  metrics: '/opentelemetry.proto.collector.metrics.v1.MetricsService/Export',
};
const signalByPath = new Map<string, Signal>([
  [exportPaths.logs, 'logs'],
  [exportPaths.traces, 'traces'],
  [exportPaths.metrics, 'metrics'],
]);
const defaultMessageBytesMax = 64 << 20;
const stopGraceMs = 2_000;

/** OTLP/gRPC: the three `Export` methods. Messages pass as bytes; the intake reads them itself. */
export class OtlpGrpcServer {
  readonly #options: OtlpGrpcOptions;
  readonly #server: Server;
  /** Who sent the call with this metadata: known before its message is read. */
  readonly #principals = new WeakMap<Metadata, Principal>();

  constructor(options: OtlpGrpcOptions) {
    this.#options = options;
    this.#server = new Server({
      'grpc.max_receive_message_length': options.messageBytesMax ?? defaultMessageBytesMax,
      interceptors: [this.#authenticate()],
    });
    for (const signal of signalByPath.values()) {
      this.#server.addService(exportService(exportPaths[signal]), { export: this.#exportHandler(signal) });
    }
  }

  /** Resolves when the port is bound. */
  async start(): Promise<{ address: string; port: number }> {
    const { host, port } = this.#options;
    const bracketed = host.includes(':') ? `[${host}]` : host;
    const boundPort = await new Promise<number>((resolve, reject) => {
      this.#server.bindAsync(`${bracketed}:${port}`, ServerCredentials.createInsecure(), (error, bound) =>
        error ? reject(error) : resolve(bound),
      );
    });
    return { address: `http://${bracketed}:${boundPort}`, port: boundPort };
  }

  /** Takes no new calls and resolves when the open ones are answered, or cut off after two seconds. */
  async stop(): Promise<void> {
    const { clock } = this.#options;
    await new Promise<void>((resolve) => {
      const cancelTimer = clock.after(stopGraceMs, () => {
        this.#server.forceShutdown();
        // Sockets that never became a session are not among what is forced: nobody waits for them.
        resolve();
      });
      this.#server.tryShutdown(() => {
        cancelTimer();
        resolve();
      });
    });
  }

  /** Refuses a call by its metadata, before its message is received. */
  #authenticate(): ServerInterceptor {
    return (method, call) =>
      new ServerInterceptingCall(call, {
        start: (next) =>
          next({
            onReceiveMetadata: (metadata, proceed) => {
              const signal = signalByPath.get(method.path);
              if (!signal) return proceed(metadata);
              this.#findPrincipal(metadata).then(
                (refusal) => {
                  if (!refusal) return proceed(metadata);
                  call.sendStatus(this.#toStatus(signal, refusal));
                },
                (error: unknown) => call.sendStatus(this.#toStatus(signal, this.#refusalOf(signal, error))),
              );
            },
          }),
      });
  }

  async #findPrincipal(metadata: Metadata): Promise<Refusal | undefined> {
    const [authorization] = metadata.get('authorization');
    const principal = await this.#options.authenticator.authenticateIngestion(authorization?.toString());
    if (!principal) return unauthenticated;
    this.#principals.set(metadata, principal);
    return undefined;
  }

  #exportHandler(signal: Signal): handleUnaryCall<Buffer, Buffer> {
    return async (call, callback) => {
      try {
        const principal = this.#principals.get(call.metadata);
        if (!principal) return callback(this.#toStatus(signal, unauthenticated));
        const result = await this.#options.intake.accept(principal.tenantId, signal, call.request);
        callback(null, exportReplyProtobuf(result));
      } catch (error) {
        callback(this.#toStatus(signal, this.#refusalOf(signal, error)));
      }
    };
  }

  #refusalOf(signal: Signal, error: unknown): Refusal {
    const refusal = toRefusal(error);
    if (!refusal) this.#options.logger.error({ signal, error }, 'An OTLP request could not be stored');
    return refusal ?? unforeseenRefusal;
  }

  /** A gRPC status whose details say the same as `google.rpc.Status`, with `RetryInfo` where a retry makes sense. */
  #toStatus(signal: Signal, refusal: Refusal) {
    this.#options.metrics.refused(signal, refusal.reason);
    const metadata = new Metadata();
    metadata.set('grpc-status-details-bin', statusProtobuf(refusal));
    return { code: refusal.rpcCode, details: refusal.message, metadata };
  }
}

function exportService(path: string): ServiceDefinition {
  const asIs = (bytes: Buffer) => bytes;
  return {
    export: {
      path,
      requestStream: false,
      responseStream: false,
      requestSerialize: asIs,
      requestDeserialize: asIs,
      responseSerialize: asIs,
      responseDeserialize: asIs,
    },
  };
}
