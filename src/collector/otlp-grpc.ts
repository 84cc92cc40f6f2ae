import {
  constants,
  createSecureServer,
  createServer,
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import { OpenSockets } from '../kernel/open-sockets.ts';
import type { CompressedBody } from './content-encoding.ts';
import { exportReplyProtobuf, statusProtobuf } from './encode/export-replies.ts';
import { messageFrame, readGrpcMessage } from './grpc-message.ts';
import { asSenderSpan, listen, type OtlpServerOptions, rejectionOf, stopGraceMs } from './otlp-server.ts';
import { SenderGoneError } from './receive-bytes.ts';
import { type Refusal, rpcCode, unauthenticated } from './refusal.ts';
import type { Signal } from './signal.ts';

export interface OtlpGrpcOptions extends OtlpServerOptions {
  /** Of one request, decompressed. */
  messageBytesMax?: number;
}

const signalByPath: ReadonlyMap<string, Signal> = new Map([
  ['/opentelemetry.proto.collector.logs.v1.LogsService/Export', 'logs'],
  ['/opentelemetry.proto.collector.trace.v1.TraceService/Export', 'traces'],
  ['/opentelemetry.proto.collector.metrics.v1.MetricsService/Export', 'metrics'],
]);
const unknownMethod: Refusal = {
  reason: 'malformed',
  httpStatus: 404,
  rpcCode: rpcCode.unimplemented,
  message: 'there are the Export methods of LogsService, TraceService and MetricsService here',
};
const tooSlow: Refusal = {
  reason: 'malformed',
  httpStatus: 408,
  rpcCode: rpcCode.deadlineExceeded,
  message: 'the message did not arrive within a minute',
};
const defaultMessageBytesMax = 64 << 20;
const receiveTimeoutMs = 60_000;
/** What a connection may have under way before it is read. */
const windowBytes = 1 << 20;
const streamsMax = 128;
export const acceptedGrpcEncodings = 'identity,gzip,deflate,zstd,snappy,lz4';

/**
 * OTLP/gRPC: the three `Export` methods, each one message in and one out, over Node.js' own HTTP/2. A gRPC library
 * would read and inflate every message whole before its cost could be checked (docs/adr/0008).
 */
export class OtlpGrpcServer {
  readonly #options: OtlpGrpcOptions;
  readonly #server: Http2Server;
  readonly #sessions = new Set<ServerHttp2Session>();
  readonly #sockets: OpenSockets;

  constructor(options: OtlpGrpcOptions) {
    this.#options = options;
    const settings = { settings: { initialWindowSize: windowBytes, maxConcurrentStreams: streamsMax } };
    this.#server = options.tls ? createSecureServer({ ...settings, ...options.tls }) : createServer(settings);
    this.#sockets = new OpenSockets(this.#server);
    this.#server.on('session', (session) => this.#keep(session));
    this.#server.on('stream', (stream, headers) => void this.#answer(stream, headers));
    // A connection that breaks is its sender's matter.
    this.#server.on('sessionError', () => {});
  }

  /** Resolves when the port is bound. */
  start(): Promise<{ address: string; port: number }> {
    return listen(this.#server, this.#options);
  }

  /** Takes no new calls and resolves when the open ones are answered, or cut off after two seconds. */
  async stop(): Promise<void> {
    const cancelTimer = this.#options.clock.after(stopGraceMs, () => this.#sockets.destroyAll());
    this.#sockets.destroyUnused();
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
      for (const session of this.#sessions) session.close();
    });
    cancelTimer();
  }

  #keep(session: ServerHttp2Session): void {
    session.setLocalWindowSize(windowBytes);
    this.#sessions.add(session);
    session.once('close', () => this.#sessions.delete(session));
  }

  async #answer(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): Promise<void> {
    // A stream that is reset is its sender's matter, too.
    stream.on('error', () => {});
    if (!headers['content-type']?.startsWith('application/grpc')) {
      stream.respond({ ':status': 415 }, { endStream: true });
      return;
    }
    const signal = signalByPath.get(String(headers[':path']));
    if (!signal || headers[':method'] !== 'POST') return refuse(stream, unknownMethod);
    try {
      const reply = await this.#take(stream, headers, signal);
      if (reply) succeed(stream, reply);
    } catch (error) {
      if (error instanceof SenderGoneError) return;
      this.#refuse(stream, signal, rejectionOf(error, signal, this.#options.logger));
    }
  }

  /** The reply, or `undefined` if the call has been refused. */
  async #take(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, signal: Signal): Promise<Buffer | undefined> {
    const { authenticator, intake, budget, messageBytesMax = defaultMessageBytesMax } = this.#options;
    // The sender may send no more than its window before its key is known.
    const principal = await authenticator.authenticateIngestion(headers.authorization);
    if (!principal) return this.#refuse(stream, signal, unauthenticated);
    const held = budget.hold(principal.keyId);
    const cancelTimer = this.#options.clock.after(receiveTimeoutMs, () => this.#refuse(stream, signal, tooSlow));
    try {
      const decompress = (body: CompressedBody) => intake.decompress(principal.tenantId, body);
      const limits = { bytesMax: messageBytesMax, held, decompress };
      const message = await readGrpcMessage(stream, headers['grpc-encoding'], limits);
      cancelTimer();
      const result = await asSenderSpan({
        tracer: this.#options.tracer,
        name: String(headers[':path']).slice(1),
        traceparent: headers.traceparent,
        work: () => intake.accept(principal.tenantId, signal, message),
      });
      return exportReplyProtobuf(result);
    } finally {
      cancelTimer();
      held.release();
    }
  }

  #refuse(stream: ServerHttp2Stream, signal: Signal, refusal: Refusal): undefined {
    if (stream.headersSent || stream.destroyed) return;
    this.#options.metrics.refused(signal, refusal.reason);
    refuse(stream, refusal);
  }
}

function succeed(stream: ServerHttp2Stream, reply: Buffer): void {
  if (stream.headersSent || stream.destroyed) return;
  const headers = { ':status': 200, 'content-type': 'application/grpc', 'grpc-accept-encoding': acceptedGrpcEncodings };
  stream.respond(headers, { waitForTrailers: true });
  stream.once('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
  stream.end(messageFrame(reply));
}

/** A status whose details say the same as `google.rpc.Status`, with `RetryInfo` where a retry makes sense. */
function refuse(stream: ServerHttp2Stream, refusal: Refusal): void {
  stream.respond(
    {
      ':status': 200,
      'content-type': 'application/grpc',
      'grpc-accept-encoding': acceptedGrpcEncodings,
      'grpc-status': String(refusal.rpcCode),
      'grpc-message': percentEncoded(refusal.message),
      'grpc-status-details-bin': statusProtobuf(refusal).toString('base64'),
    },
    { endStream: true },
  );
  // What is still under way is not worth reading.
  if (!stream.readableEnded) stream.close(constants.NGHTTP2_NO_ERROR);
}

/** Printable ASCII without `%` stays as it is (gRPC over HTTP/2). */
function percentEncoded(message: string): string {
  return [...Buffer.from(message)]
    .map((byte) =>
      byte >= 0x20 && byte < 0x7f && byte !== 0x25
        ? String.fromCharCode(byte)
        : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`,
    )
    .join('');
}
