import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { Principal } from '../access/principal.ts';
import { OpenSockets } from '../kernel/open-sockets.ts';
import { readInTurns } from '../kernel/read-in-turns.ts';
import { type CompressedBody, type Compression, parseEncodings, takenEncodings } from './content-encoding.ts';
import type { PayloadEncoding } from './decode-export.ts';
import { exportReplyJson, exportReplyProtobuf, statusJson, statusProtobuf } from './encode/export-replies.ts';
import type { IntakeResult } from './intake.ts';
import { asSenderSpan, listen, type OtlpServerOptions, rejectionOf, stopGraceMs } from './otlp-server.ts';
import { type BodyLimits, defaultBodyLimits, readBody } from './read-body.ts';
import { SenderGoneError } from './receive-bytes.ts';
import { type Refusal, rpcCode, unauthenticated } from './refusal.ts';
import type { Signal } from './signal.ts';

export interface OtlpHttpOptions extends OtlpServerOptions {
  limits?: BodyLimits;
}

const contentTypes: Readonly<Record<PayloadEncoding, string>> = {
  protobuf: 'application/x-protobuf',
  json: 'application/json',
};
const signalByPath: ReadonlyMap<string, Signal> = new Map([
  ['/v1/logs', 'logs'],
  ['/v1/traces', 'traces'],
  ['/v1/metrics', 'metrics'],
]);
const notFound: Refusal = {
  reason: 'malformed',
  httpStatus: 404,
  rpcCode: rpcCode.notFound,
  message: 'there is POST /v1/logs, /v1/traces and /v1/metrics here',
};
const unsupportedType: Refusal = {
  reason: 'malformed',
  httpStatus: 415,
  rpcCode: rpcCode.invalidArgument,
  message: `the body is application/x-protobuf or application/json, with Content-Encoding ${takenEncodings}`,
};
/** Senders keep their connection between batches, which they send every few seconds. */
const times = {
  keepAliveTimeout: 60_000,
  headersTimeout: 20_000,
  requestTimeout: 60_000,
  /** How often Node.js looks for requests that are late. */
  connectionsCheckingInterval: 5_000,
};

interface SentBody {
  encoding: PayloadEncoding;
  compressions: readonly Compression[];
  request: IncomingMessage;
}

/** OTLP/HTTP: `POST /v1/{logs,traces,metrics}` in protobuf or JSON, answered when the rows are committed. */
export class OtlpHttpServer {
  readonly #options: OtlpHttpOptions;
  readonly #server: Server;
  readonly #sockets: OpenSockets;
  #stopping = false;
  /** Not answered yet. */
  readonly #open = new Set<ServerResponse>();

  constructor(options: OtlpHttpOptions) {
    this.#options = options;
    const { tls } = options;
    this.#server = tls ? createSecureServer({ ...times, ...tls }) : createServer(times);
    this.#sockets = new OpenSockets(this.#server);
    this.#server.on('request', (request, response) => void this.#answer(request, response));
  }

  /** Resolves when the port is bound, with the base URL. */
  start(): Promise<{ address: string; port: number }> {
    return listen(this.#server, this.#options);
  }

  /** Takes no new requests and resolves when the open ones are answered, or cut off after two seconds. */
  async stop(): Promise<void> {
    this.#stopping = true;
    for (const response of this.#open) closeAfter(response);
    const cancelTimer = this.#options.clock.after(stopGraceMs, () => this.#sockets.destroyAll());
    this.#sockets.destroyUnused();
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeIdleConnections();
    });
    cancelTimer();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '').split('?', 1)[0]?.replace(/(?<=.)\/$/, '') ?? '';
    const signal = signalByPath.get(path);
    allowOrigin(request, response);
    this.#open.add(response);
    response.once('close', () => this.#open.delete(response));
    if (this.#stopping) closeAfter(response);
    if (request.method === 'OPTIONS') return answerPreflight(request, response);
    if (request.method === 'GET' && (path === '/' || path === '/health'))
      return send(response, 200, 'json', '{"status":"ok"}');
    if (request.method === 'POST' && signal) return this.#answerExport(signal, request, response);
    return refuse(response, 'json', notFound);
  }

  async #answerExport(signal: Signal, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const encoding = requestEncoding(request);
    const replyEncoding = encoding ?? 'json';
    try {
      const principal = await this.#options.authenticator.authenticateIngestion(request.headers.authorization);
      if (!principal) return this.#refuse(response, replyEncoding, signal, unauthenticated);
      const compressions = parseEncodings(request.headers['content-encoding']);
      if (!encoding || !compressions) return this.#refuse(response, replyEncoding, signal, unsupportedType);
      const result = await asSenderSpan({
        tracer: this.#options.tracer,
        name: `POST /v1/${signal}`,
        traceparent: request.headers.traceparent,
        work: () => this.#take(principal, signal, { encoding, compressions, request }),
      });
      const reply = encoding === 'json' ? exportReplyJson(signal, result) : exportReplyProtobuf(result);
      send(response, 200, encoding, reply);
    } catch (error) {
      this.#refuseError(response, replyEncoding, signal, error);
    }
  }

  async #take(principal: Principal, signal: Signal, sent: SentBody): Promise<IntakeResult> {
    const { intake, limits, budget } = this.#options;
    const held = budget.hold(principal.keyId);
    try {
      const decompress = (body: CompressedBody) => intake.decompress(principal.tenantId, body);
      const body = await readBody(sent.request, sent.compressions, {
        limits: limits ?? defaultBodyLimits,
        held,
        decompress,
      });
      return await intake.accept(principal.tenantId, signal, body, sent.encoding);
    } finally {
      held.release();
    }
  }

  #refuseError(response: ServerResponse, encoding: PayloadEncoding, signal: Signal, error: unknown): void {
    if (error instanceof SenderGoneError) return;
    // The rest of a body that is not taken is not worth reading.
    if (!response.req.complete) closeAfter(response);
    this.#refuse(response, encoding, signal, rejectionOf(error, signal, this.#options.logger));
  }

  #refuse(response: ServerResponse, encoding: PayloadEncoding, signal: Signal, refusal: Refusal): void {
    this.#options.metrics.refused(signal, refusal.reason);
    refuse(response, encoding, refusal);
  }
}

/** The answer is the last on its connection, which would otherwise wait for more requests. */
function closeAfter(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}

function requestEncoding(request: IncomingMessage): PayloadEncoding | undefined {
  const type = (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase();
  if (type === contentTypes.protobuf || type === 'application/protobuf') return 'protobuf';
  return type === contentTypes.json ? 'json' : undefined;
}

/**
 * Browser SDKs may send from any page: the key is a header that a page has to know, not a cookie. Some of them send
 * their page's cookies along, which browsers allow to a host that names the page's origin only.
 */
function allowOrigin(request: IncomingMessage, response: ServerResponse): void {
  const { origin } = request.headers;
  response.setHeader('Access-Control-Allow-Origin', origin ?? '*');
  response.setHeader('Access-Control-Expose-Headers', 'Retry-After');
  if (origin === undefined) return;
  response.setHeader('Access-Control-Allow-Credentials', 'true');
  response.setHeader('Vary', 'Origin');
}

function answerPreflight(request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(204, {
    'Access-Control-Allow-Methods': 'POST',
    'Access-Control-Allow-Headers':
      request.headers['access-control-request-headers'] ?? 'authorization, content-type, content-encoding',
    'Access-Control-Max-Age': '7200',
    Vary: 'Origin, Access-Control-Request-Headers',
  });
  response.end();
}

function refuse(response: ServerResponse, encoding: PayloadEncoding, refusal: Refusal): void {
  if (refusal.retryAfterSeconds !== undefined) response.setHeader('Retry-After', String(refusal.retryAfterSeconds));
  if (!response.req.complete) readInTurns(response.req);
  if (refusal.httpStatus === 401) response.setHeader('WWW-Authenticate', 'Bearer');
  send(response, refusal.httpStatus, encoding, encoding === 'json' ? statusJson(refusal) : statusProtobuf(refusal));
}

function send(response: ServerResponse, status: number, encoding: PayloadEncoding, body: string | Buffer): void {
  response.writeHead(status, { 'Content-Type': contentTypes[encoding], 'Content-Length': Buffer.byteLength(body) });
  response.end(body);
}
