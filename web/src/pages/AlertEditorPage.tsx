import { Skeleton, Stack } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { linkOptions, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { AlertInput, AlertRecord } from '../../../src/contract/alert.ts';
import { fetchData } from '../api/client.ts';
import classes from '../features/alerts/AlertEditor.module.css';
import { AlertForm } from '../features/alerts/AlertForm.tsx';
import { AlertPreview } from '../features/alerts/AlertPreview.tsx';
import { bodyOfAlert } from '../features/alerts/alert-body.ts';
import { draftOf, missingText, ruleOf, watchedRuleOf } from '../features/alerts/alert-draft.ts';
import { ruleLabels } from '../features/alerts/alert-labels.ts';
import { alertQuery, alertsQuery } from '../features/alerts/alert-queries.ts';
import { fieldDifferences, mergeFields, same } from '../features/editing/differences.ts';
import { EditConflict } from '../features/editing/EditConflict.tsx';
import { type Conflict, useCheckedSave } from '../features/editing/use-checked-save.ts';
import { UnsavedChangesGuard } from '../features/unsaved-changes/UnsavedChangesGuard.tsx';
import { ErrorNotice } from '../ui/ErrorNotice.tsx';
import { ButtonLink } from '../ui/links.tsx';
import { showDone } from '../ui/notify.ts';
import { Page } from '../ui/Page.tsx';
import { ReasonedButton } from '../ui/ReasonedButton.tsx';
import { useUrlState } from '../url-state.ts';

const alertLink = (alertId: string) => linkOptions({ to: '/alerts/$alertId', params: { alertId } });

/** A new alert, on what the address names; or a stored one. */
export function AlertEditorPage() {
  const { alertId } = useParams({ strict: false });
  const [{ dashboardId, tileId, savedSearchId }] = useUrlState();
  const stored = useQuery({
    ...alertQuery(alertId ?? ''),
    enabled: alertId !== undefined,
    refetchInterval: false,
  });
  if (!alertId) {
    return (
      <Editor
        start={{ dashboardId: dashboardId ?? null, tileId: tileId ?? null, savedSearchId: savedSearchId ?? null }}
      />
    );
  }
  if (stored.data) return <Editor key={alertId} alertId={alertId} start={bodyOfAlert(stored.data)} />;
  return (
    <Page title="Edit alert">{stored.error ? <ErrorNotice error={stored.error} /> : <Skeleton height={320} />}</Page>
  );
}

function Editor({ alertId, start }: { alertId?: string; start: Partial<AlertInput> }) {
  // What was read when the page opened: a refresh must not change what the draft is compared with.
  const [stored] = useState(start);
  const [draft, setDraft] = useState(() => draftOf(stored));
  const navigate = useNavigate();
  const save = useAlertSave({ alertId, stored, onSaved: (id) => navigate({ ...alertLink(id), ignoreBlocker: true }) });
  const rule = ruleOf(draft, stored);
  const missing = missingText(draft);
  const before = alertId ? asRule(stored) : undefined;
  const actions = (
    <>
      <ButtonLink variant="default" {...(alertId ? alertLink(alertId) : linkOptions({ to: '/alerts' }))}>
        Cancel
      </ButtonLink>
      <ReasonedButton reason={missing} loading={save.isPending} onClick={() => rule && save.save(rule)}>
        Save
      </ReasonedButton>
    </>
  );
  return (
    <Page title={alertId ? 'Edit alert' : 'New alert'} actions={actions}>
      {save.error ? <ErrorNotice error={save.error} /> : null}
      <div className={classes.columns}>
        <Stack gap={16}>
          <AlertForm draft={draft} change={(patch) => setDraft((current) => ({ ...current, ...patch }))} />
        </Stack>
        <div className={classes.preview}>
          <AlertPreview rule={rule} watched={watchedRuleOf(draft, stored)} compareTo={before} />
        </div>
      </div>
      <UnsavedChangesGuard isChanged={!same(draft, draftOf(stored))} subject={draft.name || 'this alert'} />
      {save.conflict ? (
        <AlertConflict conflict={save.conflict} onResolve={save.resolve} onClose={save.closeConflict} />
      ) : null}
    </Page>
  );
}

interface AlertSave {
  alertId: string | undefined;
  stored: Partial<AlertInput>;
  onSaved: (id: string) => Promise<void>;
}

function useAlertSave({ alertId, stored, onSaved }: AlertSave) {
  const client = useQueryClient();
  return useCheckedSave<AlertInput, AlertRecord>({
    base: alertId ? asRule(stored) : undefined,
    read: async () => {
      const now = bodyOfAlert(await fetchData<AlertRecord>(`alerts/${alertId}`));
      return asRule(now) ?? now;
    },
    write: (body) =>
      fetchData<AlertRecord>(alertId ? `alerts/${alertId}` : 'alerts', { method: alertId ? 'PUT' : 'POST', body }),
    onSaved: async ({ id }) => {
      showDone('Alert saved.');
      await client.invalidateQueries({ queryKey: alertsQuery.queryKey });
      await onSaved(id);
    },
  });
}

interface AlertConflictProps {
  conflict: Conflict<AlertInput>;
  onResolve: (merged: AlertInput) => void;
  onClose: () => void;
}

function AlertConflict({ conflict: { base, mine, theirs }, onResolve, onClose }: AlertConflictProps) {
  const differences = fieldDifferences(base, mine, theirs, ruleLabels);
  return (
    <EditConflict
      thing="alert"
      differences={differences}
      onResolve={(choices) => onResolve(mergeFields(mine, theirs, differences, choices))}
      onClose={onClose}
    />
  );
}

/** In the editor's notation: two ways to write one rule are not a difference. */
function asRule(stored: Partial<AlertInput>): AlertInput | undefined {
  return ruleOf(draftOf(stored), stored);
}
