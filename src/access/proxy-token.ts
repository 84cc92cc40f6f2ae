import { createHash, hkdfSync, timingSafeEqual } from 'node:crypto';

/** The header in which a web role that runs alone authenticates itself to the API behind it. */
export const proxyTokenHeader = 'x-signalbox-web';

/** Both processes derive it from the secret key that they share (`SIGNALBOX_SECRET_KEY`). */
export function proxyTokenOf(secretKey: string): string {
  return Buffer.from(hkdfSync('sha256', secretKey, 'signalbox', 'web role v1', 32)).toString('hex');
}

/** Compares in constant time. */
export function isProxyToken(expected: string, given: string | string[] | undefined): boolean {
  return typeof given === 'string' && timingSafeEqual(digest(expected), digest(given));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
