import { Button, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { AlertInput } from '../../../src/contract/alert.ts';
import classes from '../features/alerts/AlertEditor.module.css';
import { AlertForm } from '../features/alerts/AlertForm.tsx';
import { AlertPreview } from '../features/alerts/AlertPreview.tsx';
import { bodyOfAlert } from '../features/alerts/alert-body.ts';
import { draftOf, ruleOf } from '../features/alerts/alert-draft.ts';
import { alertQuery, useSaveAlert } from '../features/alerts/alert-queries.ts';
import { ErrorNotice } from '../ui/ErrorNotice.tsx';
import { showDone } from '../ui/notify.ts';
import { Page } from '../ui/Page.tsx';
import { useUrlState } from '../url-state.ts';

/** A new alert, on what the address names; or a stored one. */
export function AlertEditorPage() {
  const { alertId }: { alertId?: string } = useParams({ strict: false });
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
  const save = useSaveAlert();
  const navigate = useNavigate();
  const rule = ruleOf(draft, stored);
  const before = alertId ? ruleOf(draftOf(stored), stored) : undefined;
  const submit = (body: AlertInput) =>
    save.mutate(
      { id: alertId, body },
      {
        onSuccess: async (saved) => {
          showDone('Alert saved.');
          await navigate({ to: `/alerts/${saved.id}` });
        },
      },
    );
  const actions = (
    <>
      <Button variant="default" component={Link} to={alertId ? `/alerts/${alertId}` : '/alerts'}>
        Cancel
      </Button>
      <Button disabled={!rule?.channels} loading={save.isPending} onClick={() => rule && submit(rule)}>
        Save
      </Button>
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
          <AlertPreview rule={rule} compareTo={before} />
        </div>
      </div>
    </Page>
  );
}
