import { Button, Skeleton } from '@mantine/core';
import { IconCopy, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { fieldDifferences, mergeFields } from '../features/editing/differences.ts';
import { EditConflict } from '../features/editing/EditConflict.tsx';
import type { Conflict } from '../features/editing/use-checked-save.ts';
import { DeleteSource } from '../features/sources/DeleteSource.tsx';
import { SourceForm } from '../features/sources/SourceForm.tsx';
import { draftOf, kindLabels, labelsOfKind, newDraft, type SourceDraft } from '../features/sources/source-draft.ts';
import { connectionsQuery, useSaveSource } from '../features/sources/source-editing.ts';
import { type SourceRecord, sourcesQuery } from '../features/where-editor/source-queries.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorNotice } from '../ui/ErrorNotice.tsx';
import { ButtonLink } from '../ui/links.tsx';
import { showDone } from '../ui/notify.ts';
import { Page } from '../ui/Page.tsx';
import { useUrlState } from '../url-state.ts';

/** Editor of a source; `/sources/new?kind=log` starts one, `/sources/new?copy=<id>` from another. */
export function SourcePage() {
  const { sourceId } = useParams({ strict: false });
  const [url] = useUrlState();
  const sources = useQuery(sourcesQuery);
  const connections = useQuery(connectionsQuery);
  const error = sources.error ?? connections.error;
  if (error) return <Page title="Source">{<ErrorNotice error={error} />}</Page>;
  if (!sources.data || !connections.data) return <Page title="Source">{<Skeleton height={320} />}</Page>;
  if (sourceId === undefined) {
    const original = sources.data.find(({ id }) => id === url.copy);
    const [first] = sources.data;
    const home = {
      connection: first?.connection ?? connections.data[0]?.id ?? '',
      databaseName: first?.from.databaseName ?? '',
    };
    const draft = original ? draftOf(original, `${original.name} copy`) : newDraft(kindOf(url.kind), home);
    return <NewSource key={`${url.kind} ${url.copy}`} draft={draft} />;
  }
  const source = sources.data.find(({ id }) => id === sourceId);
  if (source) return <EditSource key={source.id} source={source} />;
  return (
    <Page title="Source">
      <EmptyState title="This source no longer exists" hint="Someone deleted it, or the link is incomplete." />
    </Page>
  );
}

function kindOf(text: string | undefined): SourceDraft['kind'] {
  const kinds = Object.keys(kindLabels) as SourceDraft['kind'][];
  return kinds.find((kind) => kind === text) ?? 'log';
}

function NewSource({ draft }: { draft: SourceDraft }) {
  const navigate = useNavigate();
  const save = useSaveSource(undefined, undefined, async ({ id, name }) => {
    showDone(`“${name}” created.`);
    await navigate({ to: '/sources/$sourceId', params: { sourceId: id }, ignoreBlocker: true });
  });
  return (
    <Page narrow title={`New ${kindLabels[draft.kind].toLowerCase()} source`}>
      <SourceForm initial={draft} isSaving={save.isPending} error={save.error} onSave={save.save} />
    </Page>
  );
}

function EditSource({ source }: { source: SourceRecord }) {
  const [isDeleting, setDeleting] = useState(false);
  // What was read when the form began: a refresh must not change what the edit is compared with.
  const [begun, setBegun] = useState({ draft: draftOf(source), times: 0 });
  const save = useSaveSource(source.id, begun.draft, async (saved) => {
    showDone(`“${saved.name}” saved.`);
    setBegun(({ times }) => ({ draft: draftOf(saved), times: times + 1 }));
  });
  return (
    <Page
      narrow
      title={source.name}
      actions={
        <>
          <ButtonLink
            variant="default"
            leftSection={<IconCopy size={14} />}
            to="/sources/new"
            search={{ copy: source.id }}
          >
            Duplicate
          </ButtonLink>
          <Button variant="default" leftSection={<IconTrash size={14} />} onClick={() => setDeleting(true)}>
            Delete
          </Button>
        </>
      }
    >
      <SourceForm
        key={begun.times}
        initial={begun.draft}
        sourceId={source.id}
        isSaving={save.isPending}
        error={save.error}
        onSave={save.save}
      />
      {save.conflict ? (
        <SourceConflict conflict={save.conflict} onResolve={save.resolve} onClose={save.closeConflict} />
      ) : null}
      <DeleteSource source={source} opened={isDeleting} onClose={() => setDeleting(false)} />
    </Page>
  );
}

interface SourceConflictProps {
  conflict: Conflict<SourceDraft>;
  onResolve: (merged: SourceDraft) => void;
  onClose: () => void;
}

function SourceConflict({ conflict: { base, mine, theirs }, onResolve, onClose }: SourceConflictProps) {
  const differences = fieldDifferences(base, mine, theirs, labelsOfKind(mine.kind));
  return (
    <EditConflict
      thing="source"
      differences={differences}
      onResolve={(choices) => onResolve(mergeFields(mine, theirs, differences, choices))}
      onClose={onClose}
    />
  );
}
