import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { frontProofHeader } from '../access/front-proof.ts';
import type { TlsMaterial } from '../config/tls-files.ts';
import { withoutBasePath } from '../http/base-path.ts';
import { mountPages, type WebPagesOptions } from './web-pages.ts';

export interface ForwardingParts {
  apiUrl: string;
  pages: WebPagesOptions;
  tls?: TlsMaterial | undefined;
  /** Lets cookies of forwarded requests count at the API; absent = nobody can log in here. */
  frontProof?: string | undefined;
}

/** The web role without the API in its process: pages from here, every other path from `apiUrl`. */
export function buildForwardingWebServer(parts: ForwardingParts): FastifyInstance {
  const { tls, pages } = parts;
  const server = Fastify({
    logger: false,
    rewriteUrl: ({ url }) => withoutBasePath(url ?? '/', pages.basePath),
    ...(tls ? { https: tls } : {}),
  });
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
  mountPages(server, pages);
  server.setNotFoundHandler((request, reply) => forward(parts, request, reply));
  return server;
}

async function forward(parts: ForwardingParts, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const bodyless = request.method === 'GET' || request.method === 'HEAD';
  const init = {
    method: request.method,
    headers: forwardedHeaders(request, parts.frontProof),
    redirect: 'manual' as const,
    ...(bodyless ? {} : { body: Readable.toWeb(request.raw) as ReadableStream, duplex: 'half' as const }),
  };
  const answer = await fetch(parts.apiUrl + request.url, init).catch(() => undefined);
  if (!answer) return reply.code(502).send({ message: 'The API can’t be reached from the web server.' });
  reply.code(answer.status);
  // `Headers` yields each cookie on its own.
  for (const [name, value] of answer.headers) {
    if (!hopHeaders.has(name)) reply.header(name, value);
  }
  return reply.send(Buffer.from(await answer.arrayBuffer()));
}

/** What the client sent, whom it asked for, where it came from, and that it came through us. */
function forwardedHeaders(request: FastifyRequest, frontProof: string | undefined): Record<string, string> {
  const { host, connection: _connection, 'content-length': _length, ...headers } = request.headers;
  const { [frontProofHeader]: _proof, 'x-forwarded-for': earlier, ...rest } = headers;
  const address = request.socket.remoteAddress ?? '';
  return {
    ...(rest as Record<string, string>),
    'x-forwarded-for': earlier === undefined ? address : `${earlier}, ${address}`,
    'x-forwarded-host': host ?? '',
    ...(frontProof === undefined ? {} : { [frontProofHeader]: frontProof }),
  };
}

/** Belong to one connection, or change with our reading of the body. */
const hopHeaders = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'content-encoding']);
