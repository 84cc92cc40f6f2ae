import { IconAlertCircleFilled, IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type MouseEvent, useEffect, useRef } from 'react';
import { formatSeconds } from '../../charts/format-value.ts';
import { roundTicks } from './round-ticks.ts';
import { isError, moveInTree, type SpanNode, type TreeKey, type TreePlace, visibleNodes } from './span-tree.ts';
import classes from './Trace.module.css';

const rowPx = 28;
/** What sticks to the top; as the style sheet says. */
const rulerPx = 26;
const indentPx = 14;
const treeKeys: readonly string[] = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End'];

export interface WaterfallProps {
  roots: readonly SpanNode[];
  totalNs: number;
  colorOf: (service: string) => string;
  place: TreePlace;
  onPlace: (place: TreePlace) => void;
}

/** Spans as a tree over time. One stop of the Tab key; arrows walk, open and close. */
export function Waterfall({ roots, totalNs, colorOf, place, onPlace }: WaterfallProps) {
  const scroll = useRef<HTMLDivElement>(null);
  const rows = visibleNodes(roots, place.collapsed);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => rowPx,
    overscan: 15,
    scrollMargin: rulerPx,
    scrollPaddingStart: rulerPx,
  });
  const at = rows.findIndex(({ key }) => key === place.selected);
  useEffect(() => {
    if (at >= 0) virtual.scrollToIndex(at);
  }, [at, virtual]);
  const press = (event: KeyboardEvent) => {
    if (!treeKeys.includes(event.key)) return;
    event.preventDefault();
    onPlace(moveInTree(rows, place, event.key as TreeKey));
  };
  const click = (event: MouseEvent) => {
    const target = event.target as Element;
    const node = rows[Number(target.closest<HTMLElement>('[data-row]')?.dataset.row ?? Number.NaN)];
    if (!node) return;
    const isFold = target.closest('[data-fold]') !== null;
    onPlace(isFold ? { ...place, collapsed: toggled(place.collapsed, node.key) } : { ...place, selected: node.key });
  };
  return (
    <div
      ref={scroll}
      className={classes.waterfall}
      role="tree"
      aria-label="Spans"
      tabIndex={0}
      aria-activedescendant={at >= 0 ? `span-${place.selected}` : undefined}
      onKeyDown={press}
      onClick={click}
    >
      <div className={classes.ruler} aria-hidden="true">
        <span>Service and operation</span>
        <div className={classes.ticks}>
          {roundTicks(totalNs).map((atNs) => (
            <span key={atNs} style={{ left: `${(atNs / Math.max(totalNs, 1)) * 100}%` }}>
              {formatSeconds(atNs / 1e9)}
            </span>
          ))}
        </div>
      </div>
      <div className={classes.rows} style={{ height: virtual.getTotalSize() }} role="presentation">
        {virtual.getVirtualItems().map(({ index, start }) => {
          const node = rows[index];
          if (!node) return null;
          const state = { isSelected: index === at, isOpen: !place.collapsed.has(node.key) };
          return (
            <SpanRow
              key={node.key}
              {...{ node, index, start: start - rulerPx, totalNs, ...state }}
              color={colorOf(node.span.service)}
            />
          );
        })}
      </div>
    </div>
  );
}

function toggled(keys: ReadonlySet<string>, key: string): ReadonlySet<string> {
  return keys.has(key) ? new Set([...keys].filter((each) => each !== key)) : new Set([...keys, key]);
}

interface SpanRowProps {
  node: SpanNode;
  index: number;
  start: number;
  totalNs: number;
  color: string;
  isSelected: boolean;
  isOpen: boolean;
}

function SpanRow({ node, index, start, totalNs, color, isSelected, isOpen }: SpanRowProps) {
  const { span, depth, children } = node;
  const hasChildren = children.length > 0;
  const Fold = isOpen ? IconChevronDown : IconChevronRight;
  const duration = formatSeconds(span.durationNs / 1e9);
  return (
    <div
      id={`span-${node.key}`}
      data-row={index}
      role="treeitem"
      tabIndex={-1}
      aria-level={depth + 1}
      aria-selected={isSelected}
      aria-expanded={hasChildren ? isOpen : undefined}
      aria-label={`${span.service} ${span.name}, ${duration}${isError(span) ? ', failed' : ''}`}
      className={`${classes.row} ${isSelected ? classes.selected : ''}`}
      style={{ transform: `translateY(${start}px)` }}
    >
      <div className={classes.name} style={{ paddingLeft: 6 + Math.min(depth, 24) * indentPx }}>
        <span className={classes.fold} data-fold={hasChildren ? '' : undefined}>
          {hasChildren ? <Fold size={14} /> : null}
        </span>
        <span className={classes.stripe} style={{ background: color }} />
        {isError(span) ? (
          <span className={classes.failed}>
            <IconAlertCircleFilled size={14} />
          </span>
        ) : null}
        <span className={classes.service}>{span.service}</span>
        <span title={span.name}>{span.name}</span>
      </div>
      <SpanBar node={node} totalNs={totalNs} color={color} text={duration} />
    </div>
  );
}

function SpanBar({
  node: { span },
  totalNs,
  color,
  text,
}: {
  node: SpanNode;
  totalNs: number;
  color: string;
  text: string;
}) {
  const share = (ns: number) => `${totalNs === 0 ? 0 : Math.min(100, (ns / totalNs) * 100)}%`;
  return (
    <div className={classes.track}>
      <div
        className={`${classes.barLine} ${isError(span) ? classes.barFailed : ''}`}
        style={{ left: share(span.startNs), width: share(span.durationNs), background: color }}
      />
      {span.events.map((event, index) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: events have no identity and never move
          key={index}
          className={classes.event}
          style={{ left: share(event.atNs) }}
          title={event.name}
        />
      ))}
      <span className={classes.duration} style={{ left: share(span.startNs + span.durationNs) }}>
        {text}
      </span>
    </div>
  );
}
