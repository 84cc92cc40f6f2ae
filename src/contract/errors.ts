/**
 * The one catalogue of errors. Each code has its usual HTTP status and its public text; a flavour may give a code
 * another status (`http/flavours`). The internal text of an `AppError` is for the log only.
 */
export const errorCatalogue = {
  unauthenticated: { status: 401, text: 'The API key is missing or invalid.' },
  forbidden: { status: 403, text: 'This key has no access to the requested organization or service.' },
  read_only_key: { status: 403, text: 'This key is read-only.' },
  login_failed: { status: 401, text: 'The email address or the password is wrong.' },
  cross_origin: { status: 403, text: 'This request does not come from the web UI.' },
  registration_closed: { status: 403, text: 'Registration is closed; ask a member of the team for an invitation.' },
  whole_organization_needed: { status: 403, text: 'This key is limited to some services of the organization.' },
  route_not_found: { status: 404, text: 'There is no such path.' },
  dashboard_not_found: { status: 404, text: 'Dashboard not found' },
  dashboard_version_not_found: {
    status: 404,
    text: 'This version of the dashboard does not exist, or is no longer kept',
  },
  alert_not_found: { status: 404, text: 'Alert not found' },
  delivery_not_found: { status: 404, text: 'Delivery not found' },
  source_not_found: { status: 404, text: 'Source not found' },
  webhook_not_found: { status: 404, text: 'Webhook not found' },
  connection_not_found: { status: 404, text: 'Connection not found' },
  pipe_not_found: { status: 404, text: 'Pipe not found' },
  silence_not_found: { status: 404, text: 'Silence not found' },
  saved_search_not_found: { status: 404, text: 'Saved search not found' },
  key_not_found: { status: 404, text: 'Key not found' },
  member_not_found: { status: 404, text: 'Member not found' },
  invitation_not_found: { status: 404, text: 'Invitation not found' },
  json_invalid: { status: 400, text: 'The request body is not valid JSON.' },
  content_type_invalid: { status: 400, text: 'The request body must be sent as application/json.' },
  request_invalid: { status: 400, text: 'The request is not valid.' },
  dashboard_invalid: { status: 400, text: 'The dashboard configuration is not valid.' },
  query_invalid: { status: 400, text: 'The chart query is not valid.' },
  conflict: { status: 409, text: 'The request conflicts with the current state.' },
  precondition_failed: { status: 412, text: 'The object has changed since it was read (If-Match).' },
  request_timeout: { status: 408, text: 'The request did not arrive in time.' },
  payload_too_large: { status: 413, text: 'The request body is too large.' },
  headers_too_large: { status: 431, text: 'The URL or the headers of the request are too long.' },
  rate_limited: { status: 429, text: 'Too many requests.' },
  api_unreachable: { status: 502, text: 'The API can’t be reached from the web server.' },
  overloaded: { status: 503, text: 'Too many requests are being received; try again in a moment.' },
  internal: { status: 500, text: 'Something went wrong on the server.' },
  tile_unsupported: { status: 400, text: 'This tile cannot be drawn.' },
  query_failed: { status: 500, text: 'The query could not be run by the database.' },
  query_timeout: { status: 504, text: 'The query took too long and was stopped.' },
  store_unavailable: { status: 503, text: 'The metadata store is not available; try again in a moment.' },
  engine_unavailable: { status: 503, text: 'The telemetry store is restarting; try again in a moment.' },
} as const satisfies Record<string, { status: number; text: string }>;

export type ErrorCode = keyof typeof errorCatalogue;

export interface AppErrorParts {
  /** What the client may read; the catalogue's text when absent. */
  public?: string;
  /** What the log says besides; never sent. */
  internal?: string;
  /** Seconds for `Retry-After`. */
  retryAfterSeconds?: number;
  cause?: unknown;
}

/** The only error that reaches a client as something else than "internal". */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly publicText: string;
  readonly internalText: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, parts: AppErrorParts = {}) {
    super(`${code}: ${parts.internal ?? parts.public ?? errorCatalogue[code].text}`, { cause: parts.cause });
    this.name = 'AppError';
    this.code = code;
    this.publicText = parts.public ?? errorCatalogue[code].text;
    this.internalText = parts.internal;
    this.retryAfterSeconds = parts.retryAfterSeconds;
  }
}
