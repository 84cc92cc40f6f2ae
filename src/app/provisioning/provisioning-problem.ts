import type { Problem } from '../../contract/problem.ts';

export type Path = readonly (string | number)[];

/** Something wrong at one place of the provisioning file. `reason` continues the place and repeats no secret. */
export class ProvisioningProblem extends Error {
  readonly path: Path;
  readonly reason: string;

  constructor(path: Path, reason: string) {
    super(`${path.join('.')}: ${reason}`);
    this.name = 'ProvisioningProblem';
    this.path = path;
    this.reason = reason;
  }
}

/** A problem of a schema or a resource, whose path is dotted text, below `place`. */
export function problemAtPath({ path, message }: Problem, place: Path = []): ProvisioningProblem {
  const steps = path === '' ? [] : path.split('.').map((step) => (/^[0-9]+$/.test(step) ? Number(step) : step));
  return new ProvisioningProblem([...place, ...steps], message.replace(/\.$/, ''));
}

/** A file that cannot be applied: one sentence that names the file, the line and the path. It stops the start. */
export class ProvisioningError extends Error {
  constructor(sentence: string) {
    super(sentence);
    this.name = 'ProvisioningError';
  }
}
