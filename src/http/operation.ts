import type { Static, TSchema } from 'typebox';
import type { Principal } from '../access/principal.ts';
import type { Session } from '../access/session.ts';
import type { ErrorCode } from '../contract/errors.ts';
import type { Problem } from '../contract/problem.ts';

/** Bytes of a body that holds a name and a password. */
export const smallBodyBytesMax = 16 * 1024;

export type FlavourName = 'selfHosted' | 'managed';

/** One authenticated, parsed and validated request as an operation sees it. */
export interface Call<Params, Query, Body> {
  principal: Principal;
  params: Params;
  query: Query;
  body: Body;
  /** `If-Match`, verbatim. */
  ifMatch?: string;
  /** Aborts when the client disconnects. */
  signal: AbortSignal;
  requestId: string;
  /** Client address, for limits. */
  address?: string;
  /** Log-in of a person, in operations of the web port (`Operation.session`). */
  session?: Session;
}

export interface Page {
  total: number;
  limit: number;
  offset: number;
}

/** What becomes of the caller's session cookie. */
export type SessionChange = { token: string } | 'ended';

/** What an operation answers; the flavour puts its envelope around it. */
export type Answer =
  | { kind: 'data'; data: unknown; meta?: object; page?: Page; etag?: string; session?: SessionChange }
  /** JSON text that is already serialised: served as it is inside the envelope. */
  | {
      kind: 'text';
      json: string;
      /** What follows `json`, for answers that are too large to be held whole. */
      rest?: AsyncIterable<string>;
      meta?: string;
      etag?: string;
    }
  /** A file of unknown length, without envelope. A failure of `parts` breaks the connection off. */
  | {
      kind: 'file';
      mediaType: string;
      /** Letters, digits, dots and hyphens. */
      fileName: string;
      headers?: Record<string, string>;
      parts: AsyncIterable<string>;
    }
  /** Nothing to return but, at most, `meta`: `{}` self-hosted, an envelope without `result` managed. */
  | { kind: 'none'; meta?: object; session?: SessionChange };

/** What a flavour puts an envelope around. */
export type EnvelopedAnswer = Exclude<Answer, { kind: 'file' }>;

/** Validates a value by a schema, for operations that report problems instead of refusing (dashboards/validate). */
export type SchemaCheck = (value: unknown) => readonly Problem[];

/** How the answer looks, for the interface document. */
export interface AnswerShape {
  kind: 'one' | 'list' | 'none' | 'file';
  schema?: TSchema;
  /** The list has `meta: {total, limit, offset}` and `X-Total-Count`. */
  paged?: boolean;
  /** Schema of `meta` where an answer may have one. */
  meta?: TSchema;
  /** Sent without envelope in the self-hosted flavour (dashboards/validate). */
  bare?: boolean;
  /** Of a file: which types it may have. */
  mediaTypes?: readonly string[];
  /** Headers that the answer has besides those of every answer, with what they mean. */
  headers?: Readonly<Record<string, string>>;
}

export interface Operation {
  id: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the flavour's prefix, with `:name` parameters. */
  path: string;
  /** Whose API offers it to keys. */
  flavours: readonly FlavourName[];
  /**
   * Part of the pages of a managed service: people use it by their session. The managed API does not offer it, so keys
   * find no such path (seed §What the service does 6).
   */
  console?: true;
  /**
   * Where the managed flavour puts the path: below `…/services/{serviceId}/stack` when absent, directly below the
   * service, or below `/v1` itself.
   */
  place?: 'service' | 'root';
  /** An operation of the web UI: served on the web port only, asks for no key; `needed`: for a logged-in person. */
  session?: 'open' | 'needed';
  summary: string;
  tag: string;
  /** `admin`: rejected for read-only keys. */
  role: 'read' | 'admin';
  query?: TSchema;
  body?: TSchema;
  /** What the interface document shows where the operation validates the body itself. */
  documentedBody?: TSchema;
  /** Code of a body that breaks the schema; `request_invalid` when absent. */
  bodyInvalid?: ErrorCode;
  answer: AnswerShape;
  /** Statuses beside 200, 401 and 500, for the interface document. */
  errors: readonly ErrorCode[];
  /** Error bodies carry `message` and `error` with the same text in the self-hosted flavour (decisions F5). */
  errorInBothKeys?: boolean;
  /** Marked beta in the interface document. */
  beta?: boolean;
  /** Path parameters that must be UUIDs; a malformed one is answered 400 (decisions F6, P4). */
  uuidParams?: readonly string[];
  /** Of a request body, where far less than usual is needed. */
  bodyBytesMax?: number;
  /** Counts an attempt of a client's address before its body is read, so that an unfinished one counts. */
  admit?: (address: string) => void;
  /** Throws "not found" before the body is validated (decisions D2). */
  precheck?: (call: Call<Record<string, string>, unknown, undefined>) => Promise<void>;
  handle: (call: Call<Record<string, string>, unknown, unknown>) => Promise<Answer>;
}

/**
 * Who has an operation in a flavour: `keys`, and sessions as well; `people` alone, where cookies count. `undefined`: it
 * is not served.
 */
export function audienceOf(
  { flavours, console: isConsole, session }: Pick<Operation, 'flavours' | 'console' | 'session'>,
  flavour: FlavourName,
): 'keys' | 'people' | undefined {
  if (flavours.includes(flavour)) return session ? 'people' : 'keys';
  return isConsole && flavour === 'managed' ? 'people' : undefined;
}

type StaticOf<S> = S extends TSchema ? Static<S> : undefined;

export interface OperationSpec<Q extends TSchema | undefined, B extends TSchema | undefined>
  extends Omit<Operation, 'query' | 'body' | 'handle'> {
  query?: Q;
  body?: B;
  handle: (call: Call<Record<string, string>, StaticOf<Q>, StaticOf<B>>) => Promise<Answer>;
}

/** Declares an operation once; both flavours mount it. The schemas given here validate, type and document it. */
export function operation<Q extends TSchema | undefined = undefined, B extends TSchema | undefined = undefined>(
  spec: OperationSpec<Q, B>,
): Operation {
  // `handle` is only called with what its own schemas have validated.
  return spec as unknown as Operation;
}
