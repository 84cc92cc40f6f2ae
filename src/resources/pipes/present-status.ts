import type { PipeStatus } from '../../contract/pipe-status.ts';
import type { StoredPipe } from './pipe.ts';
import { noProgress, type PipeChange } from './pipe-run.ts';

export function presentStatus({ fields, updatedAt, run }: StoredPipe, changes: readonly PipeChange[]): PipeStatus {
  const { batches: _batches, ...progress } = run?.progress ?? noProgress;
  return {
    state: run?.state ?? fields.state,
    ...(run?.reason !== undefined && { reason: run.reason }),
    since: run?.changedAt ?? updatedAt,
    ...progress,
    changes: [...changes],
  };
}
