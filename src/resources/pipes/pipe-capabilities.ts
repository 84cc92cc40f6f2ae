import type { PipeInput } from '../../contract/pipe-input.ts';
import type { Problem } from '../../contract/problem.ts';

/** Port: what this program can run. */
export interface PipeCapabilities {
  /** Why a pipe could not run, without asking its source; no value is repeated in a message. */
  problemsOf(pipe: PipeInput, serviceId: string): Promise<readonly Problem[]>;
  /** Connects to the source; a sentence when that fails. */
  ask(pipe: PipeInput, serviceId: string): Promise<string | undefined>;
  /** Removes what the pipe made at its source, such as a replication slot; a sentence when that fails. */
  release(pipe: PipeInput, serviceId: string): Promise<string | undefined>;
}
