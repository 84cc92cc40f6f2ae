import { flavour, service } from '../boot.ts';
import { apiPath } from './api-path.ts';
import { readAllPages } from './read-all-pages.ts';
import { readAnswer } from './read-answer.ts';
import { untilSessionContinues, waitForSession } from './session-end.ts';

/** An answer of the API that is not a success, in its own words. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export interface ApiAnswer<T> {
  data: T;
  meta?: Record<string, unknown>;
  /** Version of what was read, for `If-Match`. */
  etag?: string;
}

export interface ApiRequest {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  body?: unknown;
  /** Only change what still is as it was read; 412 otherwise. */
  ifMatch?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** Full path of an operation, as curl on this machine would use it. */
export function apiUrl(path: string): string {
  return new URL(apiPath(path, { flavour, service }), document.baseURI).href;
}

/**
 * Calls an operation of the API with the session's cookie. `path` is that of the self-hosted API below its prefix,
 * without a slash in front: `dashboards/123`; `apiPath` says where it is.
 * @throws {ApiError} with the API's own message; status 0 when there was no answer at all
 */
export async function callApi<T>(path: string, request: ApiRequest = {}): Promise<ApiAnswer<T>> {
  const answer = await (isOpenToAll(path) ? send(path, request) : sendInSession(path, request));
  const body = await readJson(answer);
  if (!answer.ok) throw new ApiError(answer.status, messageOf(body, answer.status));
  const etag = answer.headers.get('etag');
  const { data, meta } = readAnswer(path, body, answer.headers.get('x-total-count'));
  return { data: data as T, ...(meta ? { meta } : {}), ...(etag === null ? {} : { etag }) };
}

/** An answer that is no JSON, as it comes. Throws as `callApi` does. */
export async function fetchAnswer(path: string, request: ApiRequest): Promise<Response> {
  const answer = await sendInSession(path, request);
  if (!answer.ok) throw new ApiError(answer.status, messageOf(await readJson(answer), answer.status));
  return answer;
}

/** As `callApi`, where only the data matter. */
export async function fetchData<T>(path: string, request: ApiRequest = {}): Promise<T> {
  return (await callApi<T>(path, request)).data;
}

/** Entries that one answer of a paged list holds at most. */
const pageSize = 1000;

/** All entries of a list, also of one that the API answers in pages. */
export function fetchAll<T extends { id: string }>(path: string, signal?: AbortSignal): Promise<T[]> {
  return readAllPages((offset) => callApi<T[]>(`${path}?limit=${pageSize}&offset=${offset}`, { signal }));
}

/** Logging in and signing up need no session; a 401 of theirs is about the password. */
function isOpenToAll(path: string): boolean {
  return path === 'session' || path === 'account' || path.startsWith('invitations/');
}

/** When the session has ended, the request waits until the person has logged in again, and is sent once more. */
async function sendInSession(path: string, request: ApiRequest): Promise<Response> {
  await untilSessionContinues();
  const answer = await send(path, request);
  if (answer.status !== 401 || (await isLoggedIn())) return answer;
  await waitForSession();
  return sendInSession(path, request);
}

let loginCheck: Promise<boolean> | undefined;

/** Asked once for all requests that were rejected together. */
function isLoggedIn(): Promise<boolean> {
  loginCheck ??= askSession().finally(() => {
    loginCheck = undefined;
  });
  return loginCheck;
}

async function askSession(): Promise<boolean> {
  const body = (await readJson(await send('session', {}))) as { data?: Who; result?: Who };
  return Boolean((body.data ?? body.result)?.user);
}

interface Who {
  user?: unknown;
}

async function send(path: string, { method = 'GET', body, ifMatch, signal }: ApiRequest): Promise<Response> {
  const headers = new Headers({ accept: 'application/json' });
  if (body !== undefined) headers.set('content-type', 'application/json');
  if (ifMatch !== undefined) headers.set('if-match', ifMatch);
  try {
    return await fetch(apiUrl(path), {
      method,
      headers,
      credentials: 'same-origin',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ApiError(0, 'Signalbox can’t be reached. Is it running?');
  }
}

async function readJson(answer: Response): Promise<unknown> {
  const text = await answer.text();
  try {
    return text === '' ? {} : JSON.parse(text);
  } catch {
    return {};
  }
}

function messageOf(body: unknown, status: number): string {
  const { message, error } = (body ?? {}) as { message?: unknown; error?: unknown };
  if (typeof message === 'string') return message;
  // The managed flavour starts with a code for programs: "NOT_FOUND: Pipe not found".
  if (typeof error === 'string') return error.replace(/^[A-Z_]+: /, '');
  return `The server answered ${status}.`;
}
