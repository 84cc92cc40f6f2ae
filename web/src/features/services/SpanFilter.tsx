import { Button } from '@mantine/core';
import { useState } from 'react';
import type { TraceSource } from '../../../../src/contract/source.ts';
import { useUrlState } from '../../url-state.ts';
import { readProblem } from '../search/event-text.ts';
import type { WhereLanguage } from '../search/where-clause.ts';
import { WhereEditor } from '../where-editor/WhereEditor.tsx';
import classes from './Services.module.css';

export interface SpanFilterState {
  where: string;
  language: WhereLanguage;
}

/** Which spans are counted, as the address says. */
export function useSpanFilter(): SpanFilterState {
  const [url] = useUrlState();
  return { where: url.where ?? '', language: url.lang === 'sql' ? 'sql' : 'lucene' };
}

const hints = {
  lucene: '-http.route:"/healthz"',
  sql: "SpanAttributes['http.route'] != '/healthz'",
};

export interface SpanFilterProps {
  source: TraceSource;
  /** Of what was read with it. */
  error: Error | null;
}

/** Leaves spans out of all figures of the page. What is typed counts with Enter or with the button. */
export function SpanFilter({ source, error }: SpanFilterProps) {
  const [, change] = useUrlState();
  const stored = useSpanFilter();
  const [seen, setSeen] = useState(stored);
  const [draft, setDraft] = useState(stored);
  if (seen.where !== stored.where || seen.language !== stored.language) {
    setSeen(stored);
    setDraft(stored);
  }
  const isDraft = draft.where.trim() !== stored.where || draft.language !== stored.language;
  const submit = () => {
    const where = draft.where.trim();
    change({ where: where || undefined, lang: where === '' ? undefined : draft.language });
  };
  return (
    <div className={classes.filter}>
      <div className={classes.filterText}>
        <WhereEditor
          label="Filter of spans"
          value={draft.where}
          language={draft.language}
          sourceId={source.id}
          hint={hints[draft.language]}
          error={isDraft || !error ? undefined : readProblem(error.message)}
          onChange={(where) => setDraft((before) => ({ ...before, where }))}
          onLanguageChange={(language) => setDraft((before) => ({ ...before, language }))}
          onSubmit={submit}
        />
      </div>
      <Button variant="default" onClick={submit}>
        Filter
      </Button>
    </div>
  );
}
