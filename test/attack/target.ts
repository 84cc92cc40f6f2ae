import { connect, type Socket } from 'node:net';
import { Client, credentials, Metadata, status as rpcStatus } from '@grpc/grpc-js';

/** A program that runs, and the keys of the one tenant that attacks it. */
export interface Target {
  addresses: { api: string; web: string; otlpHttp: string; otlpGrpc: string };
  apiKey: string;
  ingestionKey: string;
}

export type Signal = 'logs' | 'traces' | 'metrics';
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
/** Of an HTTP response; for gRPC the equivalent status; 0 = the connection was closed without an answer. */
export type Status = number;

/** One API call; a body that is a string goes as it is. */
export async function callApi(target: Target, method: Method, path: string, body?: unknown): Promise<Answer> {
  return send(target.addresses.api + path, method, bodyOf(body), {
    authorization: `Bearer ${target.apiKey}`,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  });
}

/** Reads an answer that is too long to be kept. */
export async function drain({ addresses, apiKey }: Target, path: string): Promise<{ status: Status; bytes: number }> {
  const answer = await fetch(addresses.api + path, { headers: { authorization: `Bearer ${apiKey}` } });
  let bytes = 0;
  for await (const chunk of answer.body ?? []) bytes += chunk.length;
  return { status: answer.status, bytes };
}

export interface Answer {
  status: Status;
  text: string;
}

export async function exportHttp(
  target: Target,
  signal: Signal,
  body: Uint8Array,
  headers: Record<string, string>,
): Promise<Answer> {
  const { addresses, ingestionKey } = target;
  return send(`${addresses.otlpHttp}/v1/${signal}`, 'POST', body, { authorization: ingestionKey, ...headers });
}

const services: Readonly<Record<Signal, string>> = {
  logs: '/opentelemetry.proto.collector.logs.v1.LogsService/Export',
  traces: '/opentelemetry.proto.collector.trace.v1.TraceService/Export',
  metrics: '/opentelemetry.proto.collector.metrics.v1.MetricsService/Export',
};

/** grpc.default_compression_algorithm */
const gzip = 2;

/** One export over gRPC, compressed by the client's own library. */
export async function exportGrpc(target: Target, signal: Signal, body: Buffer): Promise<Answer> {
  const client = new Client(new URL(target.addresses.otlpGrpc).host, credentials.createInsecure(), {
    'grpc.default_compression_algorithm': gzip,
    'grpc.max_send_message_length': -1,
  });
  const metadata = new Metadata();
  metadata.set('authorization', target.ingestionKey);
  const plain = (bytes: Buffer) => bytes;
  try {
    return await new Promise((done) => {
      client.makeUnaryRequest(services[signal], plain, plain, body, metadata, (error) =>
        done({ status: httpStatusOf(error?.code ?? rpcStatus.OK), text: error?.details ?? '' }),
      );
    });
  } finally {
    client.close();
  }
}

/** The HTTP equivalent of a gRPC status, as far as it matters here: whose fault it was, and whether to try again. */
function httpStatusOf(code: number): Status {
  if (code === rpcStatus.OK) return 200;
  if (code === rpcStatus.INTERNAL || code === rpcStatus.UNKNOWN) return 500;
  if (code === rpcStatus.UNAVAILABLE) return 503;
  return code === rpcStatus.RESOURCE_EXHAUSTED ? 413 : 400;
}

const answerTimeoutMs = 120_000;

async function send(
  url: string,
  method: Method,
  body: Uint8Array | string | undefined,
  headers: Record<string, string>,
) {
  try {
    const signal = AbortSignal.timeout(answerTimeoutMs);
    // Node's own types want a buffer that is not shared.
    const content = typeof body === 'string' ? body : body && new Uint8Array(body);
    const answer = await fetch(url, { method, headers, signal, ...(content === undefined ? {} : { body: content }) });
    return { status: answer.status, text: await answer.text() };
  } catch {
    return { status: 0, text: '' };
  }
}

function bodyOf(body: unknown): string | undefined {
  return body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
}

/** A connection that sends what it is given, and waits. */
export async function openSocket(origin: string, first: Buffer | string): Promise<Socket> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  await new Promise<void>((done) => socket.once('connect', () => done()).once('close', () => done()));
  socket.write(first);
  return socket;
}
