import { hash } from 'node:crypto';

/** SHA-256: equal for equal bytes in every process, and for no others. */
export function digestOf(bytes: Uint8Array | string): string {
  return hash('sha256', bytes, 'base64url');
}
