import type { Environment } from '../config/variables.ts';

/** What the process was started with. */
export interface ProcessContext {
  environment: Environment;
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
}
