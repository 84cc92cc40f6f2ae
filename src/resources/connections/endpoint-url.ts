/**
 * The web address that a connection's host means; `undefined` when it means none. A host without scheme
 * (`clickhouse:8123`) is spoken to over http.
 */
export function endpointUrl(host: string): URL | undefined {
  const text = host.includes('://') ? host : `http://${host}`;
  if (host === '' || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  return url.protocol === 'http:' || url.protocol === 'https:' ? url : undefined;
}
