export interface OtlpEndpoint {
  /** Without a path. */
  url: string;
  /** The server says so; otherwise it is the usual port on the host of the pages. */
  isKnown: boolean;
}

/**
 * Where programs send OTLP/HTTP to. `configured` is what the server wrote into the page: a URL, or `http:<port>` for a port of
 * the host that browsers reach the pages at, or nothing where the collector runs elsewhere.
 */
export function otlpEndpoint(configured: string, hostname: string): OtlpEndpoint {
  const port = /^http:(\d+)$/.exec(configured)?.[1];
  if (port !== undefined) return { url: `http://${hostname}:${port}`, isKnown: true };
  return configured === '' ? { url: `http://${hostname}:4318`, isKnown: false } : { url: configured, isKnown: true };
}
