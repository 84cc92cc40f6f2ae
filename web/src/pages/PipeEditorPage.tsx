import { SegmentedControl, Skeleton } from '@mantine/core';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { Pipe } from '../../../src/contract/pipe.ts';
import { ownService } from '../features/organizations/own-service.ts';
import { PipeCrumbs } from '../features/pipes/PipeCrumbs.tsx';
import { PipeDocumentForm } from '../features/pipes/PipeDocumentForm.tsx';
import {
  editableText,
  exampleText,
  kindNames,
  patchOf,
  readDocument,
  type SourceKind,
} from '../features/pipes/pipe-document.ts';
import { usePipe, useSavePipe, useSourceCheck } from '../features/pipes/pipe-queries.ts';
import { SourceCheck } from '../features/pipes/SourceCheck.tsx';
import { ErrorNotice } from '../ui/ErrorNotice.tsx';
import { showDone } from '../ui/notify.ts';
import { Page } from '../ui/Page.tsx';
import { ReasonedButton } from '../ui/ReasonedButton.tsx';

const kinds = Object.entries(kindNames).map(([value, label]) => ({ value, label }));

/** Describes a new pipe, tests its source and creates it. */
export function NewPipePage() {
  const { path } = ownService();
  const [kind, setKind] = useState<SourceKind>('objectStorage');
  // Of each kind, so that a look at another one loses nothing.
  const [texts, setTexts] = useState<Partial<Record<SourceKind, string>>>({});
  const initial = exampleText(kind);
  const text = texts[kind] ?? initial;
  const show = useShowPipe();
  const save = useSavePipe(path, undefined, (pipe) => {
    showDone(`“${pipe.name}” created.`);
    show(pipe);
  });
  const check = useSourceCheck(path);
  const read = readDocument(text);
  const change = (next: string) => {
    setTexts((before) => ({ ...before, [kind]: next }));
    check.reset();
  };
  const choose = (next: string) => {
    setKind(next as SourceKind); // The control offers these kinds only.
    check.reset();
  };
  return (
    <Page narrow title="New pipe" crumbs={<PipeCrumbs />}>
      <PipeDocumentForm
        text={text}
        initial={initial}
        onChange={change}
        verb="Create"
        hint="What is written in capitals has to be filled in, and so have the secrets, which are never shown again."
        isSaving={save.isPending}
        error={save.error ?? check.error}
        onSave={save.mutate}
        head={<SegmentedControl aria-label="Source" data={kinds} value={kind} onChange={choose} />}
        actions={
          <ReasonedButton
            variant="default"
            loading={check.isPending}
            reason={read.problem === undefined ? undefined : 'The text has to be JSON.'}
            onClick={() => 'value' in read && check.mutate(read.value)}
          >
            Test connection
          </ReasonedButton>
        }
      >
        {check.data ? <SourceCheck check={check.data} /> : null}
      </PipeDocumentForm>
    </Page>
  );
}

/** Changes a pipe; one that runs continues with the changes. */
export function EditPipePage() {
  const { pipeId = '' } = useParams({ strict: false });
  const { path } = ownService();
  const pipe = usePipe(path, pipeId);
  return (
    <Page narrow title={pipe.data ? `Edit ${pipe.data.name}` : 'Edit a pipe'} crumbs={<PipeCrumbs pipe={pipe.data} />}>
      {pipe.error ? <ErrorNotice error={pipe.error} onRetry={pipe.refetch} /> : null}
      {pipe.isPending ? <Skeleton h={320} /> : null}
      {pipe.data ? <EditForm path={path} pipe={pipe.data} /> : null}
    </Page>
  );
}

function EditForm({ path, pipe }: { path: string; pipe: Pipe }) {
  // What was read when the form began: a refresh must not change what the edit is compared with.
  const [initial] = useState(() => editableText(pipe));
  const [text, setText] = useState(initial);
  const show = useShowPipe();
  const save = useSavePipe(path, pipe.id, (saved) => {
    showDone(`“${saved.name}” saved.`);
    show(saved);
  });
  const before = JSON.parse(initial) as Record<string, unknown>; // It was printed from an object.
  return (
    <PipeDocumentForm
      text={text}
      initial={initial}
      onChange={setText}
      verb="Save"
      hint="Secrets are not shown, and stay as they are unless they are written here. A pipe that runs continues with the changes."
      isSaving={save.isPending}
      error={save.error}
      onSave={(after) => save.mutate(patchOf(before, after))}
    />
  );
}

function useShowPipe(): (pipe: Pipe) => void {
  const navigate = useNavigate();
  return ({ id }) =>
    void navigate({
      to: '/pipes/$pipeId',
      params: { pipeId: id },
      ignoreBlocker: true,
    });
}
