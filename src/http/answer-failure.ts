import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../contract/errors.ts';
import type { Logger } from '../kernel/logger.ts';
import { readInTurns } from '../kernel/read-in-turns.ts';
import { StoreUnavailableError } from '../kernel/store-unavailable-error.ts';
import './fastify-request.ts';
import type { Flavour } from './flavours/flavour.ts';

export const jsonType = 'application/json; charset=utf-8';

const retryAfterSeconds = 5;

/** The one translator from what was thrown to what a client reads. Details go to the log only (decisions F5). */
export function failureAnswerer(flavour: Flavour, logger: Logger) {
  return function answerFailure(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
    const error = toAppError(thrown);
    logFailure(logger, error, request);
    const operation = request.routeOptions.config.operation;
    // Fastify would close the connection under a client that is still sending, which then could not read the answer; the
    // rest of its body is read and thrown away instead, as long as it comes in time.
    if (error.code !== 'request_timeout') reply.removeHeader('connection');
    if (!request.raw.complete) readInTurns(request.raw);
    if (error.retryAfterSeconds !== undefined) reply.header('retry-after', String(error.retryAfterSeconds));
    reply
      .code(flavour.statusOf(error.code, operation))
      .header('content-type', jsonType)
      .send(flavour.failure({ code: error.code, text: error.publicText }, operation));
  };
}

/** What clients and the log see of anything that was thrown. */
export function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  if (thrown instanceof StoreUnavailableError) return storeUnavailable(thrown);
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new AppError('payload_too_large');
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new AppError('content_type_invalid');
  if (code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH') {
    return new AppError('request_invalid', { public: 'The length of the body differs from Content-Length.' });
  }
  // A path that cannot be decoded names nothing.
  if (code === 'FST_ERR_BAD_URL') return new AppError('route_not_found');
  return new AppError('internal', { cause: thrown });
}

function storeUnavailable(error: StoreUnavailableError): AppError {
  return new AppError('store_unavailable', {
    public: `${error.message} Try again in a moment.`,
    internal: `${error.part} store: ${error.failure}${error.code === undefined ? '' : ` (${error.code})`}`,
    retryAfterSeconds,
    cause: error,
  });
}

/** Logs what a client does not read of a failure; nothing where it reads everything. */
export function logFailure(logger: Logger, error: AppError, request: FastifyRequest): void {
  if (error.code === 'internal') {
    logger.error({ requestId: request.id, error: error.cause ?? error }, 'request failed unexpectedly');
  } else if (error.internalText !== undefined) {
    logger.warn({ requestId: request.id, code: error.code, detail: error.internalText }, 'request rejected');
  }
}
