import { flavour } from '../boot.ts';
import { readAllPages } from './read-all-pages.ts';

const prefix = flavour === 'managed' ? 'v1' : 'api/v2';

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
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  body?: unknown;
  /** Only change what still is as it was read; 412 otherwise. */
  ifMatch?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** Full path of an operation, as curl on this machine would use it. */
export function apiUrl(path: string): string {
  return new URL(`${prefix}/${path}`, document.baseURI).href;
}

/**
 * Calls an operation of the public API with the session's cookie. `path` is below the flavour's prefix, without a
 * slash in front: `dashboards/123`.
 * @throws {ApiError} with the API's own message; status 0 when there was no answer at all
 */
export async function callApi<T>(path: string, request: ApiRequest = {}): Promise<ApiAnswer<T>> {
  const answer = await send(path, request);
  const body = await readJson(answer);
  if (!answer.ok) throw new ApiError(answer.status, messageOf(body, answer.status));
  const etag = answer.headers.get('etag');
  const { data, result, meta } = body as { data?: T; result?: T; meta?: Record<string, unknown> };
  return { data: (data ?? result) as T, ...(meta ? { meta } : {}), ...(etag === null ? {} : { etag }) };
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
