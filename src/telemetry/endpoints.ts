/** One ClickHouse HTTP interface and who we are to it. */
export interface Endpoint {
  /** Origin and path prefix, without a trailing slash. */
  url: string;
  user?: string;
  secret?: string;
}

/** Where to ask right now, best first; empty while the embedded engine restarts. */
export interface EndpointSource {
  endpoints(): readonly Endpoint[];
}

/** Fixed servers, asked in turn, so that load spreads over them and a dead one is passed over. */
export class RoundRobinEndpoints implements EndpointSource {
  readonly #endpoints: readonly Endpoint[];
  #next = 0;

  constructor(endpoints: readonly Endpoint[]) {
    this.#endpoints = endpoints;
  }

  endpoints(): readonly Endpoint[] {
    const first = this.#next++ % Math.max(1, this.#endpoints.length);
    return [...this.#endpoints.slice(first), ...this.#endpoints.slice(0, first)];
  }
}

/**
 * `http[s]://user:password@host:port[,…]` to endpoints (decisions S2: may be a comma list).
 * Throws `TypeError` with a sentence that names no secret.
 */
export function parseEndpoints(urls: string): Endpoint[] {
  const parts = urls.split(',').map((part) => part.trim());
  return parts.filter((part) => part !== '').map(parseEndpoint);
}

function parseEndpoint(text: string, index: number): Endpoint {
  if (!URL.canParse(text)) throw new TypeError(`entry ${index + 1} is not a URL`);
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new TypeError(`entry ${index + 1} must begin with http:// or https://`);
  }
  return {
    url: `${url.origin}${url.pathname}`.replace(/\/$/, ''),
    ...(url.username === '' ? {} : { user: decodeURIComponent(url.username) }),
    ...(url.password === '' ? {} : { secret: decodeURIComponent(url.password) }),
  };
}
