import { hash, verify } from '@node-rs/argon2';
import { isCommonPassword } from './common-passwords.ts';

/** OWASP's first choice for argon2id: about 20 ms of one core. */
const cost = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

export const passwordCharsMin = 8;
/** Bounds the work that one log-in attempt can cause. */
export const passwordCharsMax = 1024;

/** Why a new password cannot be used, as the end of a sentence; `undefined` when it can. */
export async function passwordProblem(password: string, email?: string): Promise<string | undefined> {
  if (password.length < passwordCharsMin) return `must have at least ${passwordCharsMin} characters`;
  if (password.length > passwordCharsMax) return `must have at most ${passwordCharsMax} characters`;
  if (await isCommonPassword(password, email)) return 'is among the most common passwords; choose another';
  return undefined;
}

/** argon2id in PHC form, with a unique salt (decisions K3). */
export function hashPassword(password: string): Promise<string> {
  return hash(password, cost);
}

/**
 * Checks a password against a stored hash. Pass `undefined` for an unknown user: the same work is done and the answer
 * is false, so that the time taken does not reveal which users exist.
 */
export async function verifyPassword(stored: string | undefined, password: string): Promise<boolean> {
  if (password.length > passwordCharsMax) return false;
  if (stored === undefined) {
    await hashPassword(password);
    return false;
  }
  return verify(stored, password).catch(() => false);
}
