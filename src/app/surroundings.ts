import type { Environment } from '../config/variables.ts';

/** What the process was started with. */
export interface Surroundings {
  environment: Environment;
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
}
