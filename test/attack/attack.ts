import type { Answer, Target } from './target.ts';

/** One input that a client may send, with or without a key. */
export interface Attack {
  /** Of the kinds of fault: A work per byte, B sums and time, C retryable or permanent, D checked and used, E bad input. */
  kind: 'A' | 'B' | 'C' | 'D' | 'E';
  name: string;
  /** Bytes on the wire; absent: many requests together, to which the bounds of one do not apply. */
  wireBytes?: number;
  /** Too much for a test among others; the script runs it. */
  heavy?: true;
  /** The only right answer, where there is one; else anything but a server's error. */
  expected?: readonly number[];
  run(target: Target): Promise<Answer>;
}

const serverError = 500;
const unavailable = 503;

/** Whether the program handled it properly: rejected it, accepted it, or asked for a retry. */
export function isRightAnswer({ expected }: Attack, { status }: Answer): boolean {
  if (expected) return expected.includes(status);
  return status < serverError || status === unavailable;
}
