import type { FastifyRequest } from 'fastify';

/**
 * Whether a browser says that a page of our own origin sent this request; `undefined` when it says nothing (no
 * browser, or an old one). `Sec-Fetch-Site` cannot be forged by a page and is right also behind proxies that change
 * `Host`; browsers leave it out on plain HTTP, where `Origin` has to do.
 */
export function isSameOrigin(
  { headers }: Pick<FastifyRequest, 'headers'>,
  own: { host: string | undefined; publicOrigin?: string | undefined },
): boolean | undefined {
  const site = headers['sec-fetch-site'];
  const { origin } = headers;
  if (site === 'same-origin') return true;
  if (origin !== undefined && origin === own.publicOrigin) return true;
  if (site !== undefined) return false;
  return origin === undefined ? undefined : hostOf(origin) === own.host;
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}
