import { Loader, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type Ref, useEffect, useRef, useState } from 'react';
import { ServiceLink } from '../services/ServiceLink.tsx';
import { type ColumnActions, ColumnHeader } from './ColumnHeader.tsx';
import { columnTemplate } from './column-template.ts';
import classes from './EventTable.module.css';
import { cellText, shortCellText } from './event-cell.ts';
import { toneOfLevel } from './event-text.ts';
import type { ListColumn, ListView } from './list-columns.ts';
import type { ListRow } from './search-queries.ts';

const rowPx = 27;
/** Where a row has two lines; as the style sheet says. */
const stackedRowPx = 46;
const narrow = '(max-width: 40em)';
/** What sticks to the top of the list; as the style sheet says. */
const headPx = 26;
/** So many rows before the end the next page is fetched. */
const pagesAheadRows = 40;

export interface EventTableProps {
  rows: readonly ListRow[];
  view: Pick<ListView, 'columns' | 'isStandard' | 'wrap'>;
  /** By expression, in pixels; absent = the usual width. */
  widths: Readonly<Record<string, number>>;
  /** What a heading offers; absent where columns are fixed. */
  actionsOf?: (column: ListColumn) => ColumnActions;
  /** The row that is open, or that the others surround. It is brought into sight. */
  selected: ListRow | undefined;
  /** How the selected row is named to those who can't see its mark; absent where it is open beside the list. */
  selectedLabel?: string;
  onSelect: (row: ListRow) => void;
  onEnd?: () => void;
  isLoadingMore?: boolean;
  /** The list was scrolled: whether its first row is in sight. */
  onScrolled?: (isAtTop: boolean) => void;
}

/** Events as rows; only those on the screen exist, so that ten thousand scroll as ten do. */
export function EventTable(props: EventTableProps) {
  const { rows, view, widths, actionsOf, selected, onSelect, onEnd, isLoadingMore, onScrolled } = props;
  const scroll = useRef<HTMLDivElement>(null);
  const isNarrow = useMediaQuery(narrow, undefined, { getInitialValueInEffect: false }) ?? false;
  const isStacked = isNarrow && view.isStandard && !view.wrap;
  const coveredPx = isStacked ? 0 : headPx;
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => (isStacked ? stackedRowPx : rowPx),
    overscan: 12,
    scrollMargin: coveredPx,
    scrollPaddingStart: coveredPx,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: measured again only when the height of rows changes
  useEffect(() => virtual.measure(), [isStacked, view.wrap]);
  const selectedAt = selected ? rows.indexOf(selected) : -1;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when another row is selected
  useEffect(() => {
    if (selectedAt >= 0) virtual.scrollToIndex(selectedAt, { align: props.selectedLabel ? 'center' : 'auto' });
  }, [selectedAt]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a list begins at its top
  useEffect(() => onScrolled?.(true), []);
  const shown = virtual.getVirtualItems();
  const isNearEnd = (shown.at(-1)?.index ?? 0) >= rows.length - pagesAheadRows;
  useEffect(() => {
    if (isNearEnd) onEnd?.();
  }, [isNearEnd, onEnd]);
  const [focused, setFocused] = useState(0);
  const isShown = (at: number) => shown.some(({ index }) => index === at);
  const tabStop = isShown(focused) ? focused : (shown[0]?.index ?? 0);
  const step = (event: KeyboardEvent<HTMLElement>) => {
    const by = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
    const from = Number((event.target as HTMLElement).dataset.index ?? Number.NaN);
    if (by === undefined || Number.isNaN(from) || !rows[from + by]) return;
    event.preventDefault();
    virtual.scrollToIndex(from + by);
    const wanted = `[data-index="${from + by}"]`;
    requestAnimationFrame(() => scroll.current?.querySelector<HTMLElement>(wanted)?.focus());
  };
  const { template, minWidthPx } = columnTemplate(view.columns, widths);
  const grid = isStacked ? {} : { gridTemplateColumns: template };
  return (
    <div
      ref={scroll}
      className={`${classes.scroll} ${isStacked ? classes.stacked : ''} ${view.wrap ? classes.wrapped : ''}`}
      onScroll={({ currentTarget }) => onScrolled?.(currentTarget.scrollTop < rowPx)}
    >
      <table
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: its rows are walked with the keyboard and opened
        role="grid"
        aria-label="Events"
        aria-rowcount={rows.length + 1}
        className={classes.table}
        style={{ minWidth: isStacked ? 0 : minWidthPx }}
      >
        <thead className={classes.head}>
          <tr className={classes.columns} aria-rowindex={1} style={grid}>
            {view.columns.map((column) => (
              <ColumnHeader key={column.item} column={column} actions={actionsOf?.(column)} />
            ))}
          </tr>
        </thead>
        <tbody className={classes.rows} style={{ height: virtual.getTotalSize() }} onKeyDown={step}>
          {shown.map(({ index, start }) => {
            const row = rows[index];
            return row ? (
              <EventLine
                key={index}
                {...{ row, index, isStacked, onSelect }}
                columns={view.columns}
                measure={view.wrap ? virtual.measureElement : undefined}
                style={{ ...grid, transform: `translateY(${start - coveredPx}px)` }}
                selectedLabel={index === selectedAt ? (props.selectedLabel ?? '') : undefined}
                isTabStop={index === tabStop}
                onFocus={() => setFocused(index)}
              />
            ) : null;
          })}
        </tbody>
      </table>
      {isLoadingMore ? (
        <Text size="xs" p={8} ta="center" component="div">
          <Loader size={14} role="status" aria-label="Loading more events" />
        </Text>
      ) : null}
    </div>
  );
}

interface EventLineProps {
  row: ListRow;
  index: number;
  columns: readonly ListColumn[];
  isStacked: boolean;
  /** Set for the selected row. */
  selectedLabel: string | undefined;
  isTabStop: boolean;
  style: Record<string, string | number>;
  measure: Ref<HTMLTableRowElement> | undefined;
  onSelect: (row: ListRow) => void;
  onFocus: () => void;
}

function EventLine({ row, index, columns, isStacked, selectedLabel, onSelect, ...rest }: EventLineProps) {
  const tone = classes[toneOfLevel(row.level)] ?? '';
  const textAt = isStacked ? shortCellText : cellText;
  // A click at the end of marking text is none.
  const click = () => document.getSelection()?.isCollapsed === false || onSelect(row);
  return (
    <tr
      ref={rest.measure}
      tabIndex={rest.isTabStop ? 0 : -1}
      data-index={index}
      aria-rowindex={index + 2}
      aria-selected={selectedLabel !== undefined}
      className={`${classes.row} ${tone} ${selectedLabel ? classes.origin : ''}`}
      style={rest.style}
      onClick={click}
      onFocus={rest.onFocus}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        onSelect(row);
      }}
    >
      {columns.map((column, at) => (
        <td key={column.item} className={`${classes.cell} ${classes[column.kind]}`}>
          {selectedLabel && at === 0 ? <span className={classes.hiddenLabel}>{selectedLabel} </span> : null}
          {column.kind === 'service' && row.service !== '' ? <RowService name={row.service} /> : textAt(row, column)}
        </td>
      ))}
    </tr>
  );
}

/** Leads to the page of the service. Its row is the stop of the keyboard; the opened event has the same link. */
function RowService({ name }: { name: string }) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only keeps the row from opening beside the link
    // biome-ignore lint/a11y/useKeyWithClickEvents: as above
    <span className={classes.link} onClick={(event) => event.stopPropagation()}>
      <ServiceLink name={name} tabIndex={-1} />
    </span>
  );
}
