import type { IngestionAuthenticator } from '../access/authenticators.ts';
import type { Intake } from '../collector/intake.ts';
import { OtlpGrpcServer } from '../collector/otlp-grpc.ts';
import { OtlpHttpServer } from '../collector/otlp-http.ts';
import type { ListenConfig } from '../config/listen-config.ts';
import { readTlsFiles } from '../config/tls-files.ts';
import type { ByteBudget } from '../kernel/byte-budget.ts';
import type { CleanupStack } from '../kernel/cleanup-stack.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/logger.ts';
import type { Tracer } from '../kernel/tracer.ts';
import type { Workers } from '../kernel/workers.ts';
import { namingPort } from './listen.ts';
import type { ProgramMetrics } from './metrics/program-metrics.ts';

export interface CollectingDeps {
  listen: ListenConfig;
  intake: Intake;
  authenticator: IngestionAuthenticator;
  metrics: ProgramMetrics;
  tracer: Tracer;
  logger: Logger;
  clock: Clock;
  cleanup: CleanupStack;
  workers: Workers;
  /** Of requests that are being received, over every port. */
  budget: ByteBudget;
}

/** The collector role: OTLP over gRPC and HTTP. */
export async function startCollecting(deps: CollectingDeps): Promise<{ otlpGrpc: string; otlpHttp: string }> {
  const { listen, intake, authenticator, tracer, logger, clock, cleanup, budget } = deps;
  const tls = listen.tls && (await readTlsFiles(listen.tls));
  const metrics = deps.metrics.collector;
  const shared = { host: listen.host, intake, authenticator, metrics, tracer, logger, clock, budget, tls };
  const grpc = new OtlpGrpcServer({ ...shared, port: listen.ports.otlpGrpc });
  const http = new OtlpHttpServer({ ...shared, port: listen.ports.otlpHttp });
  // Side by side: each may take seconds to see its last requests through.
  cleanup.push('collector', async () => void (await Promise.all([grpc.stop(), http.stop()])));
  const { host, ports } = listen;
  const otlpGrpc = await namingPort(host, ports.otlpGrpc, () => grpc.start());
  const otlpHttp = await namingPort(host, ports.otlpHttp, () => http.start());
  return { otlpGrpc: otlpGrpc.address, otlpHttp: otlpHttp.address };
}
