/** Longer headers are not read at all. */
const headerCharsMax = 4096;

const bearerPattern = /^bearer[ \t]+([\x21-\x7e]+)[ \t]*$/i;
const basicPattern = /^basic[ \t]+([A-Za-z0-9+/]+={0,2})[ \t]*$/i;
const bareKeyPattern = /^[ \t]*([\x21-\x7e]+)[ \t]*$/;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The key of `Bearer <key>`; the scheme in any case. */
export function parseBearer(authorization: string | undefined): string | undefined {
  return match(bearerPattern, authorization);
}

/** The key of `<key>` or `Bearer <key>` (interface: telemetry collector). */
export function parseIngestionKey(authorization: string | undefined): string | undefined {
  const bare = match(bareKeyPattern, authorization);
  if (bare !== undefined) return /^(bearer|basic)$/i.test(bare) ? undefined : bare;
  return parseBearer(authorization);
}

/** Key id and secret of `Basic base64(id:secret)`, UTF-8. The secret may contain colons; neither half may be empty. */
export function parseBasic(authorization: string | undefined): { cloudKeyId: string; secret: string } | undefined {
  const encoded = match(basicPattern, authorization);
  const text = encoded === undefined ? undefined : decodeUtf8(Buffer.from(encoded, 'base64'));
  const colon = text?.indexOf(':') ?? -1;
  if (text === undefined || colon < 1 || colon === text.length - 1) return undefined;
  return { cloudKeyId: text.slice(0, colon), secret: text.slice(colon + 1) };
}

function match(pattern: RegExp, authorization: string | undefined): string | undefined {
  if (authorization === undefined || authorization.length > headerCharsMax) return undefined;
  return pattern.exec(authorization)?.[1];
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}
