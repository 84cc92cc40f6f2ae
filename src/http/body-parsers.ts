import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../contract/errors.ts';
import type { Clock } from '../kernel/clock.ts';
import './fastify-request.ts';
import type { JsonReader } from './json/json-reader.ts';
import { readBody } from './read-body.ts';

export interface BodyParserOptions {
  bytesMax: number;
  timeoutMs: number;
  clock: Clock;
  reader: JsonReader;
}

/**
 * Bodies are JSON (decisions F8): any charset parameter, an empty body where none is needed; another content type is
 * rejected. Fastify's own parsers support neither time-outs nor a budget across requests.
 */
export function addBodyParsers(app: FastifyInstance, options: BodyParserOptions): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', async (request: FastifyRequest, payload: IncomingMessage) => {
    if (request.method === 'DELETE') return undefined;
    const { operation } = request.routeOptions.config;
    const bytes = await readBody(payload, {
      announcedBytes: announcedBytes(request),
      bytesMax: operation?.bodyBytesMax ?? options.bytesMax,
      timeoutMs: options.timeoutMs,
      held: request.heldBytes,
      clock: options.clock,
    });
    // Many clients name a content type also where there is nothing to send.
    if (bytes.length === 0 && operation?.body === undefined) return undefined;
    return options.reader.read(bytes, request.principal?.tenantId ?? request.clientAddress);
  });
  app.addContentTypeParser('*', (request, _payload, done) => {
    done(request.method === 'DELETE' ? null : new AppError('content_type_invalid'), undefined);
  });
}

function announcedBytes({ headers }: FastifyRequest): number | undefined {
  const length = headers['content-length'];
  return length === undefined ? undefined : Number(length);
}
