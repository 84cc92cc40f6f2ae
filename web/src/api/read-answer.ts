export interface AnswerParts {
  data: unknown;
  meta?: Record<string, unknown> | undefined;
}

interface Body {
  data?: unknown;
  result?: unknown;
  meta?: Record<string, unknown>;
}

/**
 * What the envelope of a flavour holds: `{data, meta}` self-hosted, `{result, meta}` managed. An operation that the
 * self-hosted flavour answers without an envelope has its whole body in `result`; that of a search has `data` and `meta`.
 * `total`: of a paged list, as the header `X-Total-Count` says it; the managed envelope does not.
 */
export function readAnswer(path: string, body: unknown, total: string | null): AnswerParts {
  const { result, ...rest } = (body ?? {}) as Body;
  const { data, meta } = path === 'search' && isBody(result) ? result : rest;
  return { data: data ?? result ?? body, meta: total === null ? meta : { total: Number(total), ...meta } };
}

function isBody(result: unknown): result is Body {
  return typeof result === 'object' && result !== null && 'data' in result;
}
