import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../contract/errors.ts';

/**
 * Bodies are JSON (decisions F8): any charset parameter, an empty body where none is needed; another content type is
 * refused. Fastify's own parser is replaced because it refuses keys such as `__proto__`, which we keep verbatim.
 */
export function addBodyParsers(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
    if (request.method === 'DELETE' || (text === '' && !needsBody(request))) return done(null, undefined);
    try {
      done(null, JSON.parse(String(text)));
    } catch (error) {
      done(notJson(error));
    }
  });
  app.addContentTypeParser('*', (request, _payload, done) => {
    done(request.method === 'DELETE' ? null : new AppError('content_type_invalid'), undefined);
  });
}

/** Many clients name a content type also where there is nothing to send. */
function needsBody(request: FastifyRequest): boolean {
  return request.routeOptions.config.operation?.body !== undefined;
}

/** Where the text stops being JSON, as far as the engine says so; never a piece of the text itself. */
function notJson(error: unknown): AppError {
  const position = /position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1];
  const where = position === undefined ? '' : ` (position ${position})`;
  return new AppError('json_invalid', { public: `The request body is not valid JSON${where}.` });
}
