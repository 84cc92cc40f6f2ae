import { createHmac } from 'node:crypto';
import { type Dispatcher, request } from 'undici';
import type { Clock } from '../kernel/clock.ts';
import { TargetBlockedError } from '../kernel/target-blocked-error.ts';
import { formatTraceparent, type SpanContext } from '../kernel/traceparent.ts';
import { noTracer, type Tracer } from '../kernel/tracer.ts';
import type { ProxyRoutes } from './proxy-routes.ts';

/** A message ready to go. */
export interface WebhookRequest {
  url: string;
  headers: Readonly<Record<string, string>>;
  queryParams: Readonly<Record<string, string>>;
  body: string;
  idempotencyKey: string;
  signingSecret?: string;
  /** The span that the message is a part of; the one under way when absent. */
  parent?: SpanContext;
}

export type SendOutcome =
  | { kind: 'delivered'; status: number }
  /** `retryAfterMs`: requested by the receiver. `unreached`: no connection was made, regardless of the message. */
  | {
      kind: 'failed';
      recoverable: boolean;
      error: string;
      status?: number;
      retryAfterMs?: number;
      unreached?: boolean;
    };

export interface SenderOptions {
  /** From `guardedAgent`. */
  dispatcher: Dispatcher;
  /** All are called directly when absent. */
  proxies?: Pick<ProxyRoutes, 'dispatcherFor'>;
  clock: Clock;
  timeoutMs: number;
  tracer?: Tracer;
}

/** More of an answer is not read. */
const answerBytesMax = 64 * 1024;
/** Nor for longer: closing immediately would disturb receivers that are still sending. */
const drainMs = 1_000;
/** Written by the connection itself; a webhook's own would break the request. */
const connectionHeaders = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
]);

/** Sends one message once. Redirects are not followed: the guard has checked this URL and no other (decisions A9). */
export class WebhookSender {
  readonly #options: SenderOptions;

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  send(message: WebhookRequest, signal?: AbortSignal): Promise<SendOutcome> {
    const { tracer = noTracer } = this.#options;
    const attributes = { 'http.request.method': 'POST' };
    const span = { name: 'notification delivery', kind: 'client', parent: message.parent, attributes } as const;
    return tracer.within(span, async (running) => {
      const outcome = await this.#send(message, signal);
      if (outcome.kind === 'failed') running.fail();
      if (outcome.status !== undefined) running.set({ 'http.response.status_code': outcome.status });
      return outcome;
    });
  }

  async #send(message: WebhookRequest, signal: AbortSignal | undefined): Promise<SendOutcome> {
    const { clock, timeoutMs } = this.#options;
    const timeout = new AbortController();
    const cancelTimer = clock.after(timeoutMs, () => timeout.abort());
    const ended = signal ? AbortSignal.any([signal, timeout.signal]) : timeout.signal;
    try {
      return await this.#post(message, ended);
    } catch (error) {
      return timeout.signal.aborted
        ? failure(`The receiver did not answer within ${timeoutMs / 1000} s.`)
        : failureOf(error);
    } finally {
      cancelTimer();
    }
  }

  async #post(message: WebhookRequest, signal: AbortSignal): Promise<SendOutcome> {
    const { dispatcher, proxies, clock, tracer } = this.#options;
    const target = withQuery(message);
    const proxy = await proxies?.dispatcherFor(target);
    const answer = await request(target, {
      method: 'POST',
      headers: headersOf(message, { nowMs: clock.nowMs(), span: tracer?.current() }),
      body: message.body,
      dispatcher: proxy ?? dispatcher,
      signal,
      // A kept connection would skip the guard at the next send.
      reset: true,
    });
    await drain(answer.body, clock);
    return outcomeOf(answer.statusCode, answer.headers['retry-after'], clock.nowMs());
  }
}

function withQuery({ url, queryParams }: WebhookRequest): URL {
  const target = new URL(url);
  for (const [name, value] of Object.entries(queryParams)) target.searchParams.append(name, value);
  return target;
}

function headersOf(
  message: WebhookRequest,
  { nowMs, span }: { nowMs: number; span: SpanContext | undefined },
): Record<string, string> {
  const headers: Record<string, string> = { 'content-type': 'application/json', 'user-agent': 'Signalbox' };
  if (span) headers.traceparent = formatTraceparent(span);
  for (const [name, value] of Object.entries(message.headers)) {
    if (!connectionHeaders.has(name.toLowerCase())) headers[name.toLowerCase()] = value;
  }
  headers['idempotency-key'] = message.idempotencyKey;
  if (message.signingSecret === undefined) return headers;
  const timestamp = String(Math.floor(nowMs / 1000));
  headers['x-signalbox-timestamp'] = timestamp;
  headers['x-signalbox-signature'] = `sha256=${sign(message.signingSecret, timestamp, message.body)}`;
  return headers;
}

/** HMAC-SHA-256 over `<timestamp>.<body>` in hex: the time in it lets receivers reject replays (U-108). */
export function sign(secret: string, timestamp: string, body: string): string {
  return createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
}

/** Only the status counts: an answer that never ends, or breaks off, changes nothing of it. */
async function drain(body: Dispatcher.ResponseData['body'], clock: Clock): Promise<void> {
  body.on('error', () => {});
  let cancelTimer = () => {};
  const tooLong = new Promise<void>((resolve) => {
    cancelTimer = clock.after(drainMs, resolve);
  });
  await Promise.race([readBounded(body).catch(() => {}), tooLong]);
  cancelTimer();
  body.destroy();
}

async function readBounded(body: Dispatcher.ResponseData['body']): Promise<void> {
  let bytes = 0;
  for await (const chunk of body) {
    bytes += Buffer.byteLength(chunk);
    if (bytes > answerBytesMax) break;
  }
}

function outcomeOf(status: number, retryAfter: string | string[] | undefined, nowMs: number): SendOutcome {
  if (status >= 200 && status < 300) return { kind: 'delivered', status };
  const error =
    status >= 300 && status < 400
      ? `The receiver answered ${status}; redirects are not followed.`
      : `The receiver answered ${status}.`;
  const recoverable = status === 408 || status === 429 || status >= 500;
  const retryAfterMs = recoverable && typeof retryAfter === 'string' ? parseRetryAfter(retryAfter, nowMs) : undefined;
  return { kind: 'failed', recoverable, error, status, ...(retryAfterMs !== undefined && { retryAfterMs }) };
}

/** Seconds or an HTTP date; `undefined` when it is neither. */
export function parseRetryAfter(text: string, nowMs: number): number | undefined {
  if (/^\d{1,9}$/.test(text.trim())) return Number(text) * 1000;
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}

/** What a person may read of a failed connection: the kind of failure, never an address. */
function failureOf(error: unknown): SendOutcome {
  if (error instanceof TargetBlockedError)
    return { kind: 'failed', recoverable: false, error: `The webhook was not called: ${error.message}` };
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  switch (code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return unreached('The host name of the webhook could not be resolved.');
    case 'ECONNREFUSED':
      return unreached('The receiver refused the connection.');
    case 'UND_ERR_CONNECT_TIMEOUT':
    case 'ETIMEDOUT':
      return unreached('The receiver could not be reached in time.');
    case 'UND_ERR_INVALID_ARG':
      return {
        kind: 'failed',
        recoverable: false,
        error: 'The headers of the webhook are not valid in an HTTP request.',
      };
    case 'ECONNRESET':
    case 'UND_ERR_SOCKET':
      return failure('The receiver closed the connection without an answer.');
    case 'UND_ERR_PRX_TLS':
      return failure('The TLS connection to the proxy failed.');
    default:
      return certificateProblems[code] === undefined
        ? failure('The connection to the receiver failed.')
        : unreached(certificateProblems[code]);
  }
}

/** By the codes of Node.js and OpenSSL. */
const certificateProblems: Readonly<Record<string, string>> = {
  ...sameText(['DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN'], 'it is self-signed, or its authority is'),
  ...sameText(
    [
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      'UNABLE_TO_GET_ISSUER_CERT',
      'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
      'CERT_UNTRUSTED',
    ],
    'its authority is unknown, or the receiver does not send the intermediate certificates',
  ),
  ...sameText(['CERT_HAS_EXPIRED'], 'it has expired'),
  ...sameText(['CERT_NOT_YET_VALID'], 'it is not valid yet'),
  ...sameText(['CERT_REVOKED'], 'it has been revoked'),
  ...sameText(['ERR_TLS_CERT_ALTNAME_INVALID', 'HOSTNAME_MISMATCH'], 'it is for a different host name'),
};

function sameText(codes: readonly string[], problem: string): Record<string, string> {
  return Object.fromEntries(codes.map((code) => [code, `The certificate of the receiver is not trusted: ${problem}.`]));
}

function unreached(error: string): SendOutcome {
  return { kind: 'failed', recoverable: true, error, unreached: true };
}

function failure(error: string): SendOutcome {
  return { kind: 'failed', recoverable: true, error };
}
