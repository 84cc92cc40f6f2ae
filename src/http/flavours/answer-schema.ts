import { type TSchema, Type } from 'typebox';
import type { AnswerShape } from '../operation.ts';

/** Schema of what an operation answers, before an envelope is put around it. */
export function listOf(answer: AnswerShape): TSchema {
  const one = answer.schema ?? Type.Unknown();
  return answer.kind === 'list' ? Type.Array(one) : one;
}
