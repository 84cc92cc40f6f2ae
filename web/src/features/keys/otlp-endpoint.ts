export interface OtlpEndpoint {
  /** Without a path. */
  url: string;
  /** The server told it; otherwise it is the usual port on the host of the pages. */
  isKnown: boolean;
}

/**
 * Where programs send OTLP/HTTP to. `told` is what the server wrote into the page: a URL, or `http:<port>` for a port of
 * the host that browsers reach the pages at, or nothing where the collector runs elsewhere.
 */
export function otlpEndpoint(told: string, hostname: string): OtlpEndpoint {
  const port = /^http:(\d+)$/.exec(told)?.[1];
  if (port !== undefined) return { url: `http://${hostname}:${port}`, isKnown: true };
  return told === '' ? { url: `http://${hostname}:4318`, isKnown: false } : { url: told, isKnown: true };
}
