import { AppError } from '../../../contract/errors.ts';

/** A problem in a request: its path, the reason and, within a text, the position (characters from 0). */
export class QueryProblem extends AppError {
  readonly path: string;
  readonly reason: string;
  readonly position: number | undefined;

  constructor(path: string, reason: string, position?: number) {
    super('query_invalid', {
      public: `${path}: ${reason}${position === undefined ? '' : ` (at position ${position})`}`,
    });
    this.path = path;
    this.reason = reason;
    this.position = position;
  }
}
