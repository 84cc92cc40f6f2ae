import { lazy, Suspense, useState } from 'react';
import type { Container, Dashboard } from '../../../../src/contract/dashboard.ts';
import { addSection, changeSection } from './edit-sections.ts';

const SectionEditor = lazy(async () => ({ default: (await import('./SectionEditor.tsx')).SectionEditor }));

/** The dialog in which sections are made and changed. */
export function useSectionEditor(edit: (change: (dashboard: Dashboard) => Dashboard) => void) {
  const [open, setOpen] = useState<{ container: Container; isNew: boolean }>();
  const close = () => setOpen(undefined);
  const done = (container: Container) => {
    edit((now) => (open?.isNew ? addSection(now, container) : changeSection(now, container)));
    close();
  };
  return {
    add: () => setOpen({ container: { id: crypto.randomUUID(), title: '', collapsed: false }, isNew: true }),
    open: (container: Container) => setOpen({ container, isNew: false }),
    dialog: open ? (
      <Suspense fallback={null}>
        <SectionEditor container={open.container} onDone={done} onClose={close} />
      </Suspense>
    ) : null,
  };
}
