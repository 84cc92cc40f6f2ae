import type { PipeCheck } from '../../contract/pipe-check.ts';
import type { PipeInput } from '../../contract/pipe-input.ts';
import type { Problem } from '../../contract/problem.ts';

/** Port: what this program can run. */
export interface PipeCapabilities {
  /** Why a pipe could not run, without asking its source; no value is repeated in a message. */
  problemsOf(pipe: PipeInput, serviceId: string): Promise<readonly Problem[]>;
  /** Connects to the source; a sentence when that fails. */
  ask(pipe: PipeInput, serviceId: string): Promise<string | undefined>;
  /** Why the source could not be read, without asking it. What to read of it may be left open. */
  sourceProblemsOf(pipe: PipeInput): readonly Problem[];
  /** Connects to the source, looks for what the pipe reads, and lists what there is. Makes and changes nothing. */
  check(pipe: PipeInput, serviceId: string): Promise<PipeCheck>;
  /** Removes what the pipe made at its source, such as a replication slot; a sentence when that fails. */
  release(pipe: PipeInput, serviceId: string): Promise<string | undefined>;
}
