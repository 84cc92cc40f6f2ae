import { createHash, timingSafeEqual } from 'node:crypto';
import type { Ids } from '../kernel/ids.ts';

/** 160 bits, 40 hex characters (decisions K2). */
const secretBytes = 20;

/** A new secret; the only copy is the one given to the user. */
export function newKeySecret(ids: Ids): string {
  return ids.secret(secretBytes);
}

/** Public half of a cloud key: 20 upper-case hex characters, no secret. */
export function newCloudKeyId(ids: Ids): string {
  return ids.secret(10).toUpperCase();
}

/** What a cloud key proves itself with: the user name and password of Basic authentication. */
export function cloudCredential(cloudKeyId: string, secret: string): string {
  return `${cloudKeyId}:${secret}`;
}

/**
 * SHA-256, 64 hex. Keys carry at least 160 random bits, so a plain hash is as safe as a slow one and costs no time on
 * each request; passwords, which people choose, go through argon2id instead.
 */
export function hashCredential(credential: string): string {
  return createHash('sha256').update(credential, 'utf8').digest('hex');
}

/** Compares two hashes in constant time (decisions K2). */
export function sameHash(left: string, right: string): boolean {
  const a = Buffer.from(left, 'hex');
  const b = Buffer.from(right, 'hex');
  return a.length > 0 && a.length === b.length && timingSafeEqual(a, b);
}
