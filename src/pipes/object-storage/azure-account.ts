import { createHmac } from 'node:crypto';

/** What a connection string says about a storage account. */
export interface AzureAccount {
  /** Without trailing slash. */
  blobUrl: string;
  access: { kind: 'key'; account: string; key: Buffer } | { kind: 'signature'; query: string };
}

/**
 * `AccountName` with `AccountKey` or `SharedAccessSignature`, and `BlobEndpoint` or the usual address; `undefined` when
 * something of it is missing or cannot be read.
 */
export function readConnectionString(text: string): AzureAccount | undefined {
  const parts = new Map(
    text.split(';').map((part): [string, string] => {
      const at = part.indexOf('=');
      return at < 0 ? [part.trim(), ''] : [part.slice(0, at).trim(), part.slice(at + 1).trim()];
    }),
  );
  const account = parts.get('AccountName') ?? '';
  const blobUrl = parts.get('BlobEndpoint') || usualEndpoint(account, parts);
  if (!blobUrl || !URL.canParse(blobUrl) || !/^https?:\/\/[^?#@]+$/.test(blobUrl)) return undefined;
  const query = (parts.get('SharedAccessSignature') ?? '').replace(/^\?/, '');
  const key = parts.get('AccountKey') ?? '';
  const place = { blobUrl: blobUrl.replace(/\/$/, '') };
  if (query !== '') return { ...place, access: { kind: 'signature', query } };
  if (account === '' || !/^[A-Za-z0-9+/]+={0,2}$/.test(key)) return undefined;
  return { ...place, access: { kind: 'key', account, key: Buffer.from(key, 'base64') } };
}

function usualEndpoint(account: string, parts: ReadonlyMap<string, string>): string | undefined {
  if (!/^[a-z0-9]{3,24}$/.test(account)) return undefined;
  const protocol = parts.get('DefaultEndpointsProtocol') || 'https';
  return `${protocol}://${account}.blob.${parts.get('EndpointSuffix') || 'core.windows.net'}`;
}

/** Headers that a signature does not cover by their names are empty lines in it. */
const unusedHeaders = '\n'.repeat(7);

export interface SignedRequest {
  method: 'GET' | 'HEAD';
  url: URL;
  /** All of them `x-ms-…`, but for `if-match`. */
  headers: Readonly<Record<string, string>>;
}

/** The `Authorization` of a request without a body (Shared Key of the Blob service). */
export function sharedKey(
  { method, url, headers }: SignedRequest,
  { account, key }: { account: string; key: Buffer },
): string {
  const named = Object.entries(headers)
    .filter(([name]) => name.startsWith('x-ms-'))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}:${value}\n`);
  const asked = [...url.searchParams]
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `\n${name}:${value}`);
  const conditions = `\n${headers['if-match'] ?? ''}\n\n\n\n`;
  const text = `${method}${unusedHeaders}${conditions}${named.join('')}/${account}${url.pathname}${asked.join('')}`;
  return `SharedKey ${account}:${createHmac('sha256', key).update(text).digest('base64')}`;
}
