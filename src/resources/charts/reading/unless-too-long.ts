import { QueryTextError } from '../../../query/compiled-query.ts';

/**
 * A shared statement, or what comes with it; `undefined` when it would be too long. Nothing else can be wrong with it, as
 * the texts of each scan were compiled before.
 */
export function unlessTooLong<T>(compile: () => T): T | undefined {
  try {
    return compile();
  } catch (error) {
    if (error instanceof QueryTextError) return undefined;
    throw error;
  }
}
