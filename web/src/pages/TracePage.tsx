import { Select, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { LogSource, TraceSource } from '../../../src/contract/source.ts';
import { TraceView } from '../features/trace/TraceView.tsx';
import { useTrace } from '../features/trace/trace-queries.ts';
import { type SourceRecord, sourcesQuery } from '../features/where-editor/source-queries.ts';
import { CopyButton } from '../ui/CopyButton.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorNotice } from '../ui/ErrorNotice.tsx';
import { Page } from '../ui/Page.tsx';
import { useUrlState } from '../url-state.ts';

const dayMs = 86_400_000;
const lookBackDays = 30;

/** One trace by its id; `source` names where it is, `at` (Unix ms) about when, `span` the chosen one. */
export function TracePage() {
  const { traceId = '' } = useParams({ strict: false });
  const [url, change] = useUrlState();
  const [nowMs] = useState(() => Date.now());
  const sources = useQuery(sourcesQuery);
  const source = traceSourceOf(sources.data ?? [], url.source);
  const atMs = Number(url.at ?? Number.NaN);
  const range = Number.isFinite(atMs)
    ? { startMs: atMs - dayMs, endMs: atMs + dayMs }
    : { startMs: nowMs - lookBackDays * dayMs, endMs: nowMs + dayMs };
  const trace = useTrace(traceId, source, range);
  const error = sources.error ?? trace.error;
  return (
    <Page
      title={`Trace ${traceId.slice(0, 8)}`}
      actions={
        <>
          <CopyButton value={traceId} label="Copy trace id" />
          <Select
            size="xs"
            aria-label="Source"
            allowDeselect={false}
            value={source?.id ?? null}
            data={(sources.data ?? []).filter(isTrace).map(({ id, name }) => ({ value: id, label: name }))}
            onChange={(id) => id && change({ source: id })}
          />
        </>
      }
    >
      {error ? <ErrorNotice error={error} onRetry={() => void trace.refetch()} /> : null}
      {sources.data && !source ? (
        <EmptyState title="No trace source" hint="Add one under Sources; it defines which table contains spans." />
      ) : null}
      {source && trace.isPending && !error ? <Skeleton height={360} /> : null}
      {trace.data && trace.data.spans.length === 0 ? (
        <EmptyState
          title="No spans found for this trace"
          hint={`${source?.name ?? 'The source'} has no span with the trace id ${traceId}${Number.isFinite(atMs) ? ' within a day of the event' : ` in the last ${lookBackDays} days`}. Spans arrive a few seconds after they end; another source may contain them.`}
        />
      ) : null}
      {source && trace.data && trace.data.spans.length > 0 ? (
        <TraceView
          key={`${traceId} ${source.id}`}
          traceId={traceId}
          found={trace.data}
          logSource={logSourceOf(sources.data ?? [], source)}
          spanId={url.span}
          onSpan={(span) => change({ span })}
        />
      ) : null}
    </Page>
  );
}

const isTrace = (source: SourceRecord): source is TraceSource => source.kind === 'trace';
const isLog = (source: SourceRecord): source is LogSource => source.kind === 'log';

/** The named source, the one that a named log source refers to, else the first. */
function traceSourceOf(sources: readonly SourceRecord[], id: string | undefined): TraceSource | undefined {
  const named = sources.find((source) => source.id === id);
  const wanted = named && isLog(named) ? named.traceSourceId : id;
  const traces = sources.filter(isTrace);
  return traces.find((source) => source.id === wanted) ?? traces[0];
}

function logSourceOf(sources: readonly SourceRecord[], source: TraceSource): LogSource | undefined {
  const logs = sources.filter(isLog);
  return (
    logs.find(({ id }) => id === source.logSourceId) ?? logs.find(({ traceSourceId }) => traceSourceId === source.id)
  );
}
