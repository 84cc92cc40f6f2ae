import type { FastifyReply, FastifyRequest } from 'fastify';

const exposed =
  'ETag, X-Request-Id, X-Total-Count, X-Export-Limit, Retry-After, RateLimit, RateLimit-Policy, X-RateLimit-Reset';
const preflight = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, DELETE',
  'access-control-allow-headers': 'Authorization, Content-Type, If-Match',
  'access-control-max-age': '600',
};

/**
 * CORS: credentials for the one origin that is configured; any origin, but without credentials, when none is. Answers
 * preflights itself and returns `true`.
 */
export function answerCrossOrigin(allowed: string | undefined, request: FastifyRequest, reply: FastifyReply): boolean {
  const { origin } = request.headers;
  if (origin === undefined) return false;
  if (allowed === undefined) {
    reply.header('access-control-allow-origin', '*');
  } else {
    reply.header('vary', 'Origin');
    if (origin === allowed) {
      reply.header('access-control-allow-origin', origin).header('access-control-allow-credentials', 'true');
    }
  }
  reply.header('access-control-expose-headers', exposed);
  if (request.method !== 'OPTIONS' || !('access-control-request-method' in request.headers)) return false;
  reply.code(204).headers(preflight).send();
  return true;
}
