import { type Dispatcher, errors, request } from 'undici';
import { TargetBlockedError } from '../../kernel/target-blocked-error.ts';
import { collectBody } from '../collect-body.ts';
import { SourceError } from '../source-port.ts';

export interface HttpRequest {
  method: 'GET' | 'HEAD';
  url: string;
  headers: Readonly<Record<string, string>>;
}

export type HttpAnswer = Dispatcher.ResponseData;

const headersTimeoutMs = 30_000;
const bodyTimeoutMs = 60_000;

/** Sends one request through connections that the address guard checks. Throws `SourceError`. */
export async function exchange(dispatcher: Dispatcher, sent: HttpRequest, signal: AbortSignal): Promise<HttpAnswer> {
  const { url, method, headers } = sent;
  const limits = { headersTimeout: headersTimeoutMs, bodyTimeout: bodyTimeoutMs };
  const answer = await request(url, { method, headers: { ...headers }, dispatcher, signal, ...limits }).catch(
    (error: unknown) => {
      throw sourceErrorOf(error);
    },
  );
  const { statusCode } = answer;
  if (statusCode < 300 || statusCode === 404 || statusCode === 412 || statusCode === 416) return answer;
  await answer.body.dump();
  throw errorOfStatus(statusCode);
}

/** The chunks of a body; what breaks it is a `SourceError`. */
export async function* chunksOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw sourceErrorOf(error);
  }
}

/** A short body as a text. */
export async function shortText(body: AsyncIterable<Uint8Array>, bytesMax: number): Promise<string> {
  const tooLong = () => new SourceError('rejected', 'The object storage sends a listing that is too long.');
  return (await collectBody(chunksOf(body), bytesMax, tooLong)).toString();
}

function sourceErrorOf(error: unknown): SourceError {
  if (error instanceof SourceError) return error;
  const blocked = [error, error instanceof Error ? error.cause : undefined].find(
    (one) => one instanceof TargetBlockedError,
  );
  if (blocked instanceof TargetBlockedError)
    return new SourceError('rejected', `The address cannot be used: ${blocked.message}`);
  if (error instanceof errors.UndiciError && error.code === 'UND_ERR_INVALID_ARG') {
    return new SourceError('rejected', 'The address of the object storage is not valid.', error);
  }
  return new SourceError('away', 'The object storage cannot be reached, or the connection broke.', error);
}

function errorOfStatus(status: number): SourceError {
  if (status === 401 || status === 403) {
    return new SourceError(
      'rejected',
      `The object storage denies access (status ${status}); check the access key and its rights.`,
    );
  }
  if (status >= 300 && status < 400) {
    return new SourceError(
      'rejected',
      `The object storage refers to another address (status ${status}); use the address of the bucket's region.`,
    );
  }
  const isPassing = status === 408 || status === 425 || status === 429 || status >= 500;
  return new SourceError(isPassing ? 'away' : 'rejected', `The object storage answers with status ${status}.`);
}
