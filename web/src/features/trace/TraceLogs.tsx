import { Skeleton, Text } from '@mantine/core';
import type { LogSource } from '../../../../src/contract/source.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { timeOfDay } from '../search/event-text.ts';
import type { ResolvedRange } from '../time-range/time-range.ts';
import classes from './Trace.module.css';
import { useTraceLogs } from './trace-queries.ts';

export interface TraceLogsProps {
  traceId: string;
  source: LogSource | undefined;
  range: ResolvedRange | undefined;
  spanId: string | undefined;
  onSpan: (spanId: string) => void;
}

/** Logs of the trace in their order; a click shows the span that wrote the line. */
export function TraceLogs({ traceId, source, range, spanId, onSpan }: TraceLogsProps) {
  const { data, error } = useTraceLogs(traceId, source, range);
  if (!source?.traceIdExpression) {
    return (
      <Text size="sm" c="var(--sb-muted)">
        No log source with a trace id belongs to this source. Set “Log source” in the source of traces.
      </Text>
    );
  }
  if (error) return <ErrorNotice error={error} />;
  if (!data) return <Skeleton height={120} />;
  if (data.length === 0) {
    return (
      <Text size="sm" c="var(--sb-muted)">
        {source.name} has no line with this trace id.
      </Text>
    );
  }
  return (
    <ul className={classes.logs}>
      {data.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: log lines have no identity and never move
        <li key={index}>
          <button
            type="button"
            className={`${classes.log} ${row.spanId !== '' && row.spanId === spanId ? classes.logOfSpan : ''}`}
            onClick={() => onSpan(row.spanId)}
          >
            <span className={classes.logHead}>
              {timeOfDay(row.time)} {row.level} {row.service}
            </span>
            {row.text}
          </button>
        </li>
      ))}
    </ul>
  );
}
