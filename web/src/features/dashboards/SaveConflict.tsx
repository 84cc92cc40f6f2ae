import type { Dashboard } from '../../../../src/contract/dashboard.ts';
import { EditConflict } from '../editing/EditConflict.tsx';
import { differencesOf, mergeDashboards } from './merge-dashboards.ts';
import type { Conflict } from './use-dashboard-draft.ts';

export interface SaveConflictProps {
  conflict: Conflict;
  onResolve: (merged: Dashboard) => void;
  onClose: () => void;
}

/** Two edits of one dashboard. */
export function SaveConflict({ conflict: { base, mine, theirs }, onResolve, onClose }: SaveConflictProps) {
  const differences = differencesOf(base, mine, theirs.data);
  return (
    <EditConflict
      thing="dashboard"
      differences={differences}
      onResolve={(choices) => onResolve(mergeDashboards(mine, theirs.data, differences, choices))}
      onClose={onClose}
    />
  );
}
