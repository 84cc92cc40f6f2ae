import { Loader, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { formatSeconds } from '../../charts/format-value.ts';
import type { EventRow } from './event-columns.ts';
import { formatEventTime, timeOfDay, toneOfLevel } from './event-text.ts';
import classes from './Search.module.css';

const rowPx = 27;
/** Where a row has two lines; as the style sheet says. */
const narrowRowPx = 46;
const narrow = '(max-width: 40em)';
/** What sticks to the top of the list; as the style sheet says. */
const headPx = 26;
/** So many rows before the end the next page is fetched. */
const pagesAheadRows = 40;

export interface EventTableProps {
  rows: readonly EventRow[];
  kind: 'log' | 'trace';
  selected: EventRow | undefined;
  onSelect: (row: EventRow) => void;
  onEnd: () => void;
  isLoadingMore: boolean;
}

/** Events, newest first; only the rows on the screen exist, so that ten thousand scroll as ten do. */
export function EventTable({ rows, kind, selected, onSelect, onEnd, isLoadingMore }: EventTableProps) {
  const scroll = useRef<HTMLDivElement>(null);
  const isNarrow = useMediaQuery(narrow, undefined, { getInitialValueInEffect: false });
  const coveredPx = isNarrow ? 0 : headPx;
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => (isNarrow ? narrowRowPx : rowPx),
    overscan: 12,
    scrollMargin: coveredPx,
    scrollPaddingStart: coveredPx,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: measured again only when the row height changes
  useEffect(() => virtual.measure(), [isNarrow]);
  const shown = virtual.getVirtualItems();
  const isNearEnd = (shown.at(-1)?.index ?? 0) >= rows.length - pagesAheadRows;
  useEffect(() => {
    if (isNearEnd) onEnd();
  }, [isNearEnd, onEnd]);
  const step = (event: KeyboardEvent<HTMLElement>) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const from = Number((event.target as HTMLElement).dataset.index ?? Number.NaN);
    if (by === undefined || Number.isNaN(from) || !rows[from + by]) return;
    event.preventDefault();
    virtual.scrollToIndex(from + by);
    const wanted = `[data-index="${from + by}"]`;
    requestAnimationFrame(() => scroll.current?.querySelector<HTMLElement>(wanted)?.focus());
  };
  const columns = kind === 'trace' ? `${classes.columns} ${classes.withDuration}` : classes.columns;
  return (
    <div ref={scroll} className={classes.scroll}>
      <div className={columns} aria-hidden="true">
        <span />
        <span>Time</span>
        <span>{kind === 'trace' ? 'Status' : 'Severity'}</span>
        <span>Service</span>
        <span>{kind === 'trace' ? 'Span' : 'Message'}</span>
        {kind === 'trace' ? <span className={classes.right}>Duration</span> : null}
      </div>
      <ul className={classes.rows} style={{ height: virtual.getTotalSize() }} aria-label="Events" onKeyDown={step}>
        {shown.map(({ index, start }) => {
          const row = rows[index];
          return row ? (
            <li key={index} className={classes.item} style={{ transform: `translateY(${start - coveredPx}px)` }}>
              <EventLine {...{ row, index, kind, isNarrow, onSelect }} isSelected={row === selected} />
            </li>
          ) : null;
        })}
      </ul>
      {isLoadingMore ? (
        <Text size="xs" p={8} ta="center" component="div">
          <Loader size={14} role="status" aria-label="Loading more events" />
        </Text>
      ) : null}
    </div>
  );
}

interface EventLineProps {
  row: EventRow;
  index: number;
  kind: 'log' | 'trace';
  isNarrow: boolean;
  isSelected: boolean;
  onSelect: (row: EventRow) => void;
}

function EventLine({ row, index, kind, isNarrow, isSelected, onSelect }: EventLineProps) {
  const tone = classes[toneOfLevel(row.level)] ?? '';
  return (
    <button
      type="button"
      data-index={index}
      className={`${classes.row} ${kind === 'trace' ? classes.withDuration : ''} ${tone}`}
      aria-current={isSelected}
      onClick={() => onSelect(row)}
    >
      <span className={classes.mark} />
      <span className={classes.muted}>{isNarrow ? timeOfDay(row.time) : formatEventTime(row.time)}</span>
      <span className={classes.level}>{row.level || '–'}</span>
      <span>{row.service}</span>
      <span title={row.text.slice(0, 500)}>{row.text}</span>
      {kind === 'trace' ? (
        <span className={classes.right}>{row.durationNs === undefined ? '' : formatSeconds(row.durationNs / 1e9)}</span>
      ) : null}
    </button>
  );
}
