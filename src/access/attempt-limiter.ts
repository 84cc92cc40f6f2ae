/** Port: counts attempts by key, so that passwords cannot be guessed. */
export interface AttemptLimiter {
  take(key: string): { allowed: boolean; resetSeconds: number };
  /** Forgets the attempts of a key, after a success. */
  forget(key: string): void;
}
