import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Dashboard } from '../../../../src/contract/dashboard.ts';
import { type ApiAnswer, ApiError } from '../../api/client.ts';
import { same } from '../editing/differences.ts';
import { dashboardBody } from './dashboard-body.ts';
import { dashboardQuery, useSaveDashboard } from './dashboard-queries.ts';

/** Someone else saved in between: what was read, my edit of it, and what is stored now. */
export interface Conflict {
  base: Dashboard;
  mine: Dashboard;
  theirs: ApiAnswer<Dashboard>;
}

interface Draft {
  base: ApiAnswer<Dashboard>;
  dashboard: Dashboard;
}

/** A dashboard as stored, and what is being made of it here until it is saved. */
export function useDashboardDraft(id: string) {
  const client = useQueryClient();
  const stored = useQuery(dashboardQuery(id));
  const save = useSaveDashboard();
  const [draft, setDraft] = useState<Draft>();
  const [conflict, setConflict] = useState<Conflict>();

  const edit = (change: (dashboard: Dashboard) => Dashboard) =>
    setDraft((now) => {
      const base = now?.base ?? stored.data;
      if (!base) return now;
      const dashboard = change(now?.dashboard ?? base.data);
      // A restored original is not a change.
      return same(dashboard, base.data) ? undefined : { base, dashboard };
    });

  const write = async (dashboard: Dashboard, base: ApiAnswer<Dashboard>) => {
    try {
      const saved = await save.mutateAsync({ id, body: dashboardBody(dashboard, base.data), etag: base.etag });
      setDraft(undefined);
      setConflict(undefined);
      return saved.data;
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 412) throw error;
      const theirs = await client.fetchQuery({ ...dashboardQuery(id), staleTime: 0 });
      setConflict({ base: base.data, mine: dashboard, theirs });
      return undefined;
    }
  };

  return {
    stored,
    dashboard: draft?.dashboard ?? stored.data?.data,
    isChanged: draft !== undefined,
    isSaving: save.isPending,
    conflict,
    edit,
    discard: () => setDraft(undefined),
    /** Answers what was saved, or nothing where a conflict is shown instead. Throws what else went wrong. */
    save: async () => (draft ? write(draft.dashboard, draft.base) : undefined),
    /** Saves what was chosen over what is stored now. */
    resolve: async (merged: Dashboard) => (conflict ? write(merged, conflict.theirs) : undefined),
    closeConflict: () => setConflict(undefined),
  };
}

export type DashboardDraft = ReturnType<typeof useDashboardDraft>;
