import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { AlertRecord } from '../../../../src/contract/alert.ts';
import type { Dashboard } from '../../../../src/contract/dashboard.ts';
import { type ApiAnswer, ApiError } from '../../api/client.ts';
import { alertsQuery } from '../alerts/alert-queries.ts';
import { same } from '../editing/differences.ts';
import { dashboardBody } from './dashboard-body.ts';
import { alertsLostBySaving, useSaveDashboard } from './dashboard-queries.ts';
import { dashboardQuery } from './dashboard-query.ts';
import { type EditHistory, edited, redone, undone } from './edit-history.ts';

/** Someone else saved in between: what was read, my edit of it, and what is stored now. */
export interface Conflict {
  base: Dashboard;
  mine: Dashboard;
  theirs: ApiAnswer<Dashboard>;
}

/** Saving would delete these alerts, which is asked for first. */
export interface AlertLoss {
  dashboard: Dashboard;
  base: ApiAnswer<Dashboard>;
  alerts: AlertRecord[];
}

interface Draft {
  base: ApiAnswer<Dashboard>;
  history: EditHistory<Dashboard>;
  /** A restored original is not a change; its edits can be redone. */
  isChanged: boolean;
}

/** A dashboard as stored, and what is being made of it here until it is saved. */
export function useDashboardDraft(id: string) {
  const client = useQueryClient();
  const stored = useQuery(dashboardQuery(id));
  const save = useSaveDashboard();
  const [edits, setEdits] = useState<Draft>();
  const [conflict, setConflict] = useState<Conflict>();
  const [loss, setLoss] = useState<AlertLoss>();

  // Without changes, what is stored now counts: it may be another version than was edited.
  const held = edits && (edits.isChanged || edits.base === stored.data) ? edits : undefined;
  const draft = held?.isChanged ? { base: held.base, dashboard: held.history.now } : undefined;

  const step = (next: (history: EditHistory<Dashboard>) => EditHistory<Dashboard>) =>
    setEdits((now) => {
      const known = now && (now.isChanged || now.base === stored.data) ? now : undefined;
      const base = known?.base ?? stored.data;
      if (!base) return now;
      const history = next(known?.history ?? { past: [], now: base.data, future: [] });
      return { base, history, isChanged: !same(history.now, base.data) };
    });
  const edit = (change: (dashboard: Dashboard) => Dashboard) =>
    step((history) => {
      const dashboard = change(history.now);
      return same(dashboard, history.now) ? history : edited(history, dashboard);
    });

  /** Those of tiles that this edit knows: what others have added is a conflict, not a loss. */
  const alertsLost = async (dashboard: Dashboard, base: Dashboard): Promise<AlertRecord[]> => {
    const lost = await alertsLostBySaving(id, dashboardBody(dashboard, base));
    if (lost.length === 0) return [];
    const alerts = await client.fetchQuery({ ...alertsQuery, staleTime: 0 });
    return alerts.filter((alert) => lost.includes(alert.id) && base.tiles.some((tile) => tile.id === alert.tileId));
  };

  const writeUnlessLossy = async (dashboard: Dashboard, base: ApiAnswer<Dashboard>) => {
    const alerts = await alertsLost(dashboard, base.data);
    if (alerts.length === 0) return write(dashboard, base);
    setLoss({ dashboard, base, alerts });
    return undefined;
  };

  const write = async (dashboard: Dashboard, base: ApiAnswer<Dashboard>) => {
    try {
      const saved = await save.mutateAsync({ id, body: dashboardBody(dashboard, base.data), etag: base.etag });
      setEdits(undefined);
      setConflict(undefined);
      setLoss(undefined);
      return saved.data;
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 412) throw error;
      const theirs = await client.fetchQuery({ ...dashboardQuery(id), staleTime: 0 });
      setLoss(undefined);
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
    loss,
    edit,
    discard: () => setEdits(undefined),
    canUndo: (held?.history.past.length ?? 0) > 0,
    canRedo: (held?.history.future.length ?? 0) > 0,
    undo: () => step(undone),
    redo: () => step(redone),
    /** Answers what was saved, or nothing where a conflict or a loss is shown instead. Throws what else went wrong. */
    save: async () => (draft ? writeUnlessLossy(draft.dashboard, draft.base) : undefined),
    /** Saves what was chosen over what is stored now. */
    resolve: async (merged: Dashboard) => (conflict ? writeUnlessLossy(merged, conflict.theirs) : undefined),
    closeConflict: () => setConflict(undefined),
    /** Saves although alerts are deleted. */
    acceptLoss: async () => (loss ? write(loss.dashboard, loss.base) : undefined),
    closeLoss: () => setLoss(undefined),
  };
}

export type DashboardDraft = ReturnType<typeof useDashboardDraft>;
