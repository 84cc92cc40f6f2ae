import type { Server } from 'node:net';
import type { IngestionAuthenticator } from '../access/authenticators.ts';
import type { ByteBudget } from '../kernel/byte-budget.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/logger.ts';
import { parseTraceparent } from '../kernel/traceparent.ts';
import { noTracer, type Tracer } from '../kernel/tracer.ts';
import type { CollectorMetrics } from './collector-metrics.ts';
import type { Intake } from './intake.ts';
import { type Refusal, toRefusal, unforeseenRefusal } from './refusal.ts';
import type { Signal } from './signal.ts';

/** What both protocols need. */
export interface OtlpServerOptions {
  host: string;
  /** 0 = any free port. */
  port: number;
  intake: Intake;
  authenticator: IngestionAuthenticator;
  metrics: CollectorMetrics;
  logger: Logger;
  clock: Clock;
  /** Nothing is reported when absent. */
  tracer?: Tracer | undefined;
  /** Of requests that are being received, over every port. */
  budget: ByteBudget;
  /** Without it, the port speaks plain text. */
  tls?: { cert: Buffer | string; key: Buffer | string } | undefined;
}

/** Calls under way when the program stops are given so long to end. */
export const stopGraceMs = 2_000;

/** Resolves when the port is bound, with the base URL. */
export async function listen(
  server: Server,
  { host, port, tls }: OtlpServerOptions,
): Promise<{ address: string; port: number }> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const bound = server.address();
  const boundPort = typeof bound === 'object' && bound ? bound.port : port;
  const scheme = tls ? 'https' : 'http';
  return { address: `${scheme}://${host.includes(':') ? `[${host}]` : host}:${boundPort}`, port: boundPort };
}

/** The response to an error; an unexpected one is logged. */
export function rejectionOf(error: unknown, signal: Signal, logger: Logger): Refusal {
  const refusal = toRefusal(error);
  if (!refusal) logger.error({ signal, error }, 'An OTLP request could not be stored');
  return refusal ?? unforeseenRefusal;
}

interface TracedExport<T> {
  tracer: Tracer | undefined;
  name: string;
  traceparent: string | string[] | undefined;
  work: () => Promise<T>;
}

/**
 * Takes an export as a span of its sender's trace. Without one there is no span: a busy collector would record more of
 * itself than it receives.
 */
export function asSenderSpan<T>({ tracer = noTracer, name, traceparent, work }: TracedExport<T>): Promise<T> {
  const parent = parseTraceparent(traceparent);
  return parent ? tracer.within({ name, kind: 'server', parent }, work) : work();
}
