import { AppError } from '../../contract/errors.ts';
import { type Problem, problemsText } from '../../contract/problem.ts';

/** @throws {AppError} `request_invalid`, if there are any */
export function reject(problems: readonly Problem[]): void {
  if (problems.length > 0) throw invalid(problems);
}

export function invalid(problems: readonly Problem[]): AppError {
  return new AppError('request_invalid', { public: `Body validation failed: ${problemsText(problems)}` });
}
