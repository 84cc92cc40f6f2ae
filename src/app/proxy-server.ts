import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { proxyTokenHeader } from '../access/proxy-token.ts';
import type { TlsMaterial } from '../config/tls-files.ts';
import { errorCatalogue } from '../contract/errors.ts';
import { jsonType } from '../http/answer-failure.ts';
import { withoutBasePath } from '../http/base-path.ts';
import type { Flavour } from '../http/flavours/flavour.ts';
import { rejectMalformedHttp } from '../http/reject-malformed-http.ts';
import { keepAliveTimeoutMs, lateness, requestTimeoutMs } from '../http/server-times.ts';
import { systemClock } from '../kernel/clock.ts';
import { mountPages, type WebPagesOptions } from './web-pages.ts';

export interface ProxyServerDeps {
  apiUrl: string;
  pages: WebPagesOptions;
  flavour: Flavour;
  tls?: TlsMaterial | undefined;
  /** Makes the API accept the cookies of forwarded requests; absent = logging in is not possible here. */
  proxyToken?: string | undefined;
}

/** The web role without the API in its process: pages from here, every other path from `apiUrl`. */
export function buildProxyServer(deps: ProxyServerDeps): FastifyInstance {
  const { tls, pages, flavour } = deps;
  const server = Fastify({
    logger: false,
    rewriteUrl: ({ url }) => withoutBasePath(url ?? '/', pages.basePath),
    ...(tls ? { https: { ...lateness, ...tls } } : { http: lateness }),
    keepAliveTimeout: keepAliveTimeoutMs,
    requestTimeout: requestTimeoutMs,
    return503OnClosing: false,
    clientErrorHandler: (error, socket) => rejectMalformedHttp(flavour, systemClock, { error, socket }),
  });
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
  mountPages(server, pages);
  server.setNotFoundHandler((request, reply) => forward(deps, request, reply));
  return server;
}

/** Bodies pass as they come, in both ways: nothing is held here. */
async function forward(deps: ProxyServerDeps, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const bodyless = request.method === 'GET' || request.method === 'HEAD';
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  const init = {
    method: request.method,
    headers: forwardedHeaders(request, deps.proxyToken),
    redirect: 'manual' as const,
    signal: gone.signal,
    // Node.js and fetch declare the same stream class twice.
    ...(bodyless ? {} : { body: Readable.toWeb(request.raw) as ReadableStream, duplex: 'half' as const }),
  };
  const answer = await fetch(deps.apiUrl + request.url, init).catch(() => undefined);
  if (!answer) return reject(deps.flavour, reply);
  reply.code(answer.status);
  // `Headers` yields each cookie on its own.
  for (const [name, value] of answer.headers) {
    if (!answerHopHeaders.has(name)) reply.header(name, value);
  }
  // As above.
  return reply.send(answer.body === null ? '' : Readable.fromWeb(answer.body as ReadableStream));
}

function reject(flavour: Flavour, reply: FastifyReply): FastifyReply {
  const code = 'api_unreachable';
  return reply
    .code(flavour.statusOf(code, undefined))
    .header('content-type', jsonType)
    .send(flavour.failure({ code, text: errorCatalogue[code].text }, undefined));
}

/** The client's headers, the requested host, the client's address, and our token. */
function forwardedHeaders(request: FastifyRequest, proxyToken: string | undefined): Record<string, string> {
  const kept = Object.entries(request.headers).filter(([name]) => !requestHopHeaders.has(name));
  const { host, 'x-forwarded-for': earlier } = request.headers;
  const address = request.socket.remoteAddress ?? '';
  return {
    // Only headers that may be repeated are lists, and fetch joins these.
    ...(Object.fromEntries(kept) as Record<string, string>),
    'x-forwarded-for': earlier === undefined ? address : `${earlier}, ${address}`,
    'x-forwarded-host': host ?? '',
    ...(proxyToken === undefined ? {} : { [proxyTokenHeader]: proxyToken }),
  };
}

const hopHeaders = ['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'te', 'trailer', 'upgrade'];
/** Belong to one connection, or are for this server alone: Node.js has answered `Expect` already. */
const requestHopHeaders = new Set([...hopHeaders, 'expect', 'host', 'proxy-authorization', proxyTokenHeader]);
/** `fetch` undoes the encoding of what it reads. */
const answerHopHeaders = new Set([...hopHeaders, 'content-encoding']);
