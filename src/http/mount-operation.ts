import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { SessionCookie } from '../access/session-cookie.ts';
import { AppError } from '../contract/errors.ts';
import { problemsText } from '../contract/problem.ts';
import { isUuid } from '../kernel/ids.ts';
import type { Logger } from '../kernel/logger.ts';
import { nextTurn } from '../kernel/next-turn.ts';
import { noTracer, type Tracer } from '../kernel/tracer.ts';
import { jsonType, logFailure, toAppError } from './answer-failure.ts';
import { inEnvelope } from './envelope-stream.ts';
import { queryOf } from './fastify-request.ts';
import type { Flavour } from './flavours/flavour.ts';
import { readHereBytesMax } from './json/json-reader.ts';
import type { EnvelopedAnswer, Operation, SchemaCheck } from './operation.ts';
import { RequestCall } from './request-call.ts';
import { bodyCheck, type QueryCheck, queryCheck } from './schema-check.ts';
import { sendFile } from './send-file.ts';

export interface Mounting {
  flavour: Flavour;
  /** Absent where sessions do not count. */
  cookie?: SessionCookie | undefined;
  tracer?: Tracer | undefined;
  logger: Logger;
}

/** Serves one operation under the paths that the flavour gives it. */
export function mountOperation(
  app: FastifyInstance,
  { flavour, cookie, logger, tracer = noTracer }: Mounting,
  operation: Operation,
): void {
  const checkBody = operation.body && bodyCheck(operation.body);
  const checkQuery = operation.query && queryCheck(operation.query);
  for (const url of flavour.pathsOf(operation)) {
    app.route({
      method: operation.method,
      url,
      config: { operation },
      handler: async (request, reply) => {
        const call = new RequestCall(request, reply, principalOf(request));
        validateParams(operation, call.params);
        validateDryRun(operation, request);
        // It has no body to read: the pre-check comes before the body is validated.
        if (operation.precheck) await operation.precheck(call as RequestCall & { body: undefined });
        if (checkQuery) call.query = validateQuery(checkQuery, request);
        if (checkBody) validateBody(operation, checkBody, request.body);
        // What is done with a body of megabytes takes tens of milliseconds: others come in between.
        const isLarge = isLargeBody(request);
        if (isLarge) await nextTurn();
        const span = { name: operation.id, kind: 'internal', parent: request.span, onlyWithParts: true } as const;
        const answer = await tracer.within(span, () => operation.handle(call));
        if (isLarge) await nextTurn();
        if (answer.kind === 'file')
          return sendFile(reply, answer, (error) => logFailure(logger, toAppError(error), request));
        if (cookie) setCookie(reply, cookie, answer);
        return sendAnswer(reply, answer, flavour.success(answer, request.id, operation, url));
      },
    });
  }
}

function isLargeBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > readHereBytesMax;
}

function principalOf(request: FastifyRequest) {
  // Authentication runs before every operation; a route that is reached without it must not answer.
  if (!request.principal) throw new AppError('unauthenticated');
  return request.principal;
}

function validateParams(operation: Operation, params: Record<string, string>): void {
  const malformed = operation.uuidParams?.find((name) => !isUuid(params[name] ?? ''));
  if (malformed !== undefined) throw new AppError('request_invalid', { public: `${malformed}: must be a UUID` });
}

/**
 * A caller who requests a dry run expects that nothing is stored. No operation supports one, so it is rejected rather
 * than ignored like other unknown parameters.
 */
function validateDryRun(operation: Operation, request: FastifyRequest): void {
  if (operation.role !== 'admin' || operation.method === 'GET') return;
  const asked = Object.entries(queryOf(request)).find(
    ([name, value]) => /^(dry[-_]?run|validate[-_]?only)$/i.test(name) && value !== 'false' && value !== '0',
  );
  if (!asked) return;
  const text = `${asked[0]}: this operation has no dry run. Omit the parameter to execute it; POST …/dashboards/validate and POST …/sources/check validate a body without storing it.`;
  throw new AppError('request_invalid', { public: text });
}

function validateQuery(check: QueryCheck, request: FastifyRequest): unknown {
  const { query, problems } = check(queryOf(request));
  if (problems.length === 0) return query;
  throw new AppError('request_invalid', { public: `Query validation failed: ${problemsText(problems)}` });
}

function validateBody(operation: Operation, check: SchemaCheck, body: unknown): void {
  if (body === undefined)
    throw new AppError('json_invalid', { public: 'The request has no body; a JSON body is required.' });
  const problems = check(body);
  if (problems.length === 0) return;
  throw new AppError(operation.bodyInvalid ?? 'request_invalid', {
    public: `Body validation failed: ${problemsText(problems)}`,
  });
}

function setCookie(reply: FastifyReply, cookie: SessionCookie, answer: EnvelopedAnswer): void {
  if (answer.kind === 'text' || answer.session === undefined) return;
  const { session } = answer;
  reply.header('set-cookie', session === 'ended' ? cookie.clear() : cookie.set(session.token));
}

function sendAnswer(reply: FastifyReply, answer: EnvelopedAnswer, body: string): FastifyReply {
  reply.header('content-type', jsonType);
  if (answer.kind !== 'none') {
    if (answer.etag !== undefined) reply.header('etag', answer.etag);
    if (answer.kind === 'data' && answer.page) reply.header('x-total-count', String(answer.page.total));
  }
  if (answer.kind !== 'text' || !answer.rest) return reply.send(body);
  const end = body.indexOf(answer.json) + answer.json.length;
  return reply.send(Readable.from(inEnvelope(body.slice(0, end), answer.rest, body.slice(end))));
}
