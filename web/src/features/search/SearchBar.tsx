import { Button, Select } from '@mantine/core';
import { IconPlayerPauseFilled, IconPlayerPlayFilled, IconSearch, IconTimeline } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { isMoving } from '../time-range/time-range.ts';
import type { TimeRangeState } from '../time-range/use-time-range.ts';
import { WhereEditor } from '../where-editor/WhereEditor.tsx';
import type { Problem } from './event-text.ts';
import classes from './Search.module.css';
import type { SearchChange, SearchState } from './search-state.ts';
import type { WhereLanguage } from './where-clause.ts';

const traceHints = {
  lucene: 'StatusCode:error SpanName:"GET /cart" Duration:>1000000000',
  sql: "StatusCode = 'Error' AND Duration > 1000000000",
};

export interface SearchBarProps {
  state: SearchState;
  onChange: (change: SearchChange) => void;
  time: TimeRangeState;
  problem: Problem | undefined;
}

/** Source and filter. What is typed becomes the search with Enter or with the button; Enter on a trace id opens it. */
export function SearchBar({ state, onChange, time, problem }: SearchBarProps) {
  const committed = { where: state.where, language: state.language };
  const [seen, setSeen] = useState(committed);
  const [draft, setDraft] = useState<{ where: string; language: WhereLanguage }>(committed);
  if (seen.where !== committed.where || seen.language !== committed.language) {
    setSeen(committed);
    setDraft(committed);
  }
  const isDraft = draft.where.trim() !== committed.where || draft.language !== committed.language;
  const openTrace = useTraceOf(draft.where, state);
  const submit = () => {
    time.refreshNow();
    if (isDraft) onChange({ where: draft.where.trim(), language: draft.language });
  };
  return (
    <div className={classes.bar}>
      <Select
        size="xs"
        w={150}
        aria-label="Source"
        allowDeselect={false}
        value={state.source?.id ?? null}
        placeholder="Source"
        data={state.sources.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={(id) => id && onChange({ source: id })}
      />
      <div className={classes.where}>
        <WhereEditor
          value={draft.where}
          language={draft.language}
          sourceId={state.source?.id ?? ''}
          error={isDraft ? undefined : problem}
          {...(state.source?.kind === 'trace' ? { hint: traceHints[draft.language] } : {})}
          onChange={(where) => setDraft((before) => ({ ...before, where }))}
          onLanguageChange={(language) => setDraft((before) => ({ ...before, language }))}
          onSubmit={openTrace ?? submit}
        />
      </div>
      {openTrace ? (
        <Button variant="light" leftSection={<IconTimeline size={14} />} onClick={openTrace}>
          Open trace
        </Button>
      ) : null}
      <Button leftSection={<IconSearch size={14} />} onClick={submit}>
        Search
      </Button>
      <LiveButton time={time} />
    </div>
  );
}

/** Opens the trace whose id is all that was typed; `undefined` if it is none, or there is no source of traces. */
function useTraceOf(text: string, { sources, source }: SearchState): (() => void) | undefined {
  const navigate = useNavigate();
  const traceId = /^[0-9a-f]{32}$/i.exec(text.trim())?.[0].toLowerCase();
  if (traceId === undefined || !sources.some(({ kind }) => kind === 'trace')) return undefined;
  const search = source ? { source: source.id } : {};
  return () => void navigate({ to: '/traces/$traceId', params: { traceId }, search });
}

/** Follows new events; what is fixed in time starts to move. */
function LiveButton({ time }: { time: TimeRangeState }) {
  const isLive = time.refresh === 'live' && isMoving(time.range);
  const start = () => {
    if (!isMoving(time.range)) time.setRange({ from: 'now-15m', to: 'now' });
    time.setRefresh('live');
  };
  return (
    <Button
      variant={isLive ? 'filled' : 'default'}
      aria-pressed={isLive}
      leftSection={isLive ? <IconPlayerPauseFilled size={13} /> : <IconPlayerPlayFilled size={13} />}
      onClick={() => (isLive ? time.setRefresh('') : start())}
    >
      {isLive ? 'Pause' : 'Live tail'}
    </Button>
  );
}
