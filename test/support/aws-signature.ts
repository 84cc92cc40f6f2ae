import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export interface AwsKey {
  accessKeyId: string;
  secretKey: string;
}

/** Whether a request has the AWS Signature Version 4 of a key, computed from what arrived. */
export function isSigned(
  request: IncomingMessage,
  { url, service, payload, key }: { url: URL; service: string; payload: string; key: AwsKey },
): boolean {
  const given =
    /Credential=([^/]+)\/(\d+)\/([^/]+)\/(\w+)\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=(\w+)/.exec(
      request.headers.authorization ?? '',
    );
  if (!given) return false;
  const [, id, day = '', region = '', named, signedHeaders = '', signature] = given;
  const headers = signedHeaders.split(';').map((name) => `${name}:${String(request.headers[name] ?? '').trim()}\n`);
  const query = [...url.searchParams]
    .map(([name, value]) => [encodeURIComponent(name), encodeURIComponent(value)])
    .sort(([a = ''], [b = '']) => (a < b ? -1 : 1))
    .map((pair) => pair.join('='))
    .join('&');
  const canonical = [request.method, url.pathname, query, headers.join(''), signedHeaders, payload].join('\n');
  const scope = `${day}/${region}/${service}/aws4_request`;
  const digest = sha256(canonical);
  const text = ['AWS4-HMAC-SHA256', request.headers['x-amz-date'], scope, digest].join('\n');
  const signing = [day, region, service, 'aws4_request'].reduce<Buffer>(
    (secret, part) => createHmac('sha256', secret).update(part).digest(),
    Buffer.from(`AWS4${key.secretKey}`),
  );
  const isRight = createHmac('sha256', signing).update(text).digest('hex') === signature;
  return named === service && id === key.accessKeyId && isRight;
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
