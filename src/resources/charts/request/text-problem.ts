import { type QueryTextError, sourceTexts } from '../../../query/compiled-query.ts';
import { QueryProblem } from './query-problem.ts';

/**
 * What is wrong with a text, with its position (decisions C6). A text of the source itself is not the caller's: then the
 * source is named. `pathOf` says where the caller's text is in the request.
 */
export function toTextProblem(
  { where, message, position }: QueryTextError,
  sourceName: string,
  pathOf: (where: string | undefined) => string,
): QueryProblem {
  const own = sourceTexts.get(where);
  const path = own ? `The source "${sourceName}" can't be read: ${own}` : pathOf(where);
  return new QueryProblem(path, message, position);
}
