import { StoreUnavailableError } from '../kernel/store-unavailable-error.ts';
import { SinkFullError, TelemetryError } from '../telemetry/ports.ts';
import type { RefusalReason } from './collector-metrics.ts';
import {
  MalformedPayloadError,
  PayloadTooLargeError,
  UnknownCompressionError,
  UnknownTenantError,
} from './intake-errors.ts';

/** Codes of google.rpc.Status that the collector answers with. */
export const rpcCode = {
  invalidArgument: 3,
  deadlineExceeded: 4,
  notFound: 5,
  resourceExhausted: 8,
  unimplemented: 12,
  unavailable: 14,
  unauthenticated: 16,
} as const;

/** How a request of which nothing was stored is answered, on either protocol. */
export interface Refusal {
  reason: RefusalReason;
  httpStatus: number;
  rpcCode: number;
  /** For the sender: never an internal detail. */
  message: string;
  /** Set when the sender may try again. */
  retryAfterSeconds?: number;
}

export const unauthenticated: Refusal = {
  reason: 'unauthenticated',
  httpStatus: 401,
  rpcCode: rpcCode.unauthenticated,
  message: 'a valid ingestion key is needed: `Authorization: <key>` or `Authorization: Bearer <key>`',
};

/** Engine failures that are temporary. */
const passing: ReadonlySet<string> = new Set(['unavailable', 'timeout', 'limit', 'cancelled']);

/** The response to an error of `Intake`; `undefined` for an unexpected one. */
export function toRefusal(error: unknown): Refusal | undefined {
  if (error instanceof UnknownTenantError) return unauthenticated;
  if (error instanceof MalformedPayloadError) {
    return { reason: 'malformed', httpStatus: 400, rpcCode: rpcCode.invalidArgument, message: error.message };
  }
  if (error instanceof UnknownCompressionError) {
    return { reason: 'malformed', httpStatus: 415, rpcCode: rpcCode.unimplemented, message: error.message };
  }
  if (error instanceof PayloadTooLargeError) {
    return { reason: 'tooLarge', httpStatus: 413, rpcCode: rpcCode.resourceExhausted, message: error.message };
  }
  if (error instanceof SinkFullError) {
    const message = 'the collector is busy, try again in a moment';
    return { reason: 'full', httpStatus: 429, rpcCode: rpcCode.resourceExhausted, message, retryAfterSeconds: 1 };
  }
  if (error instanceof StoreUnavailableError || (error instanceof TelemetryError && passing.has(error.kind))) {
    const part = error instanceof StoreUnavailableError ? error.part : 'telemetry';
    const message = `the ${part} store is not available at the moment`;
    return { reason: 'unavailable', httpStatus: 503, rpcCode: rpcCode.unavailable, message, retryAfterSeconds: 2 };
  }
  return undefined;
}

/**
 * For an error that `toRefusal` does not know. Senders drop what was answered with 500 or INTERNAL, so it is retryable:
 * only what is known to be permanent is not.
 */
export const unforeseenRefusal: Refusal = {
  reason: 'failed',
  httpStatus: 503,
  rpcCode: rpcCode.unavailable,
  message: 'the request could not be stored at the moment',
  retryAfterSeconds: 5,
};
