import { AppError } from '../../../contract/errors.ts';

/** A problem in what the client asked for: the place, the reason and, in a text, the position (characters from 0). */
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
