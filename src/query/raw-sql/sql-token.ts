import type { Span } from '../ast/text-expr.ts';

/** A part of a statement; comments and white space are not among them. */
export interface SqlToken extends Span {
  readonly kind: 'word' | 'quotedName' | 'text' | 'number' | 'sign' | 'parameter' | 'macro' | 'variable';
  /** Decoded: a name or text without its quotes and escapes, a macro or variable without its dollar sign. */
  readonly value: string;
  /** Of a parameter its type, of a variable the form in which its values are written. */
  readonly form?: string;
  /** Follows the token before it without anything between them. */
  readonly glued: boolean;
}
