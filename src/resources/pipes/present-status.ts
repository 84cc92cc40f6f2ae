import type { PipeStatus, PipeSummary } from '../../contract/pipe-status.ts';
import type { StoredPipe } from './pipe.ts';
import { familyOf } from './pipe-family.ts';
import { noProgress, type PipeChange } from './pipe-run.ts';
import { nextPipeState, type PipeState, pipeCommands } from './pipe-transitions.ts';

export function presentStatus(pipe: StoredPipe, changes: readonly PipeChange[]): PipeStatus {
  const { state, ...rest } = presentDoing(pipe);
  const family = familyOf(pipe.fields);
  // A state that is not known has no command.
  const commands = pipeCommands.filter((command) => nextPipeState(family, state as PipeState, command) !== undefined);
  return { state, ...rest, commands, changes: [...changes] };
}

export function presentSummary(pipe: StoredPipe): PipeSummary {
  return { id: pipe.id, name: pipe.fields.name, ...presentDoing(pipe) };
}

function presentDoing({ fields, updatedAt, run }: StoredPipe): Omit<PipeSummary, 'id' | 'name'> {
  const { batches: _batches, ...progress } = run?.progress ?? noProgress;
  return {
    state: run?.state ?? fields.state,
    ...(run?.reason !== undefined && { reason: run.reason }),
    since: run?.changedAt ?? updatedAt,
    ...progress,
  };
}
