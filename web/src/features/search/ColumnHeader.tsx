import { ActionIcon, Menu, UnstyledButton } from '@mantine/core';
import {
  IconArrowDown,
  IconArrowLeft,
  IconArrowRight,
  IconArrowUp,
  IconDotsVertical,
  IconRestore,
  IconX,
} from '@tabler/icons-react';
import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import type { SortDirection } from './column-sort.ts';
import classes from './EventTable.module.css';
import type { ListColumn } from './list-columns.ts';
import { columnWidthMin } from './use-column-widths.ts';

/** What can be done with the column of a heading; absent where the columns are fixed. */
export interface ColumnActions {
  sort: SortDirection;
  /** Absent where the store can't order by it. */
  onSort?: ((direction: 'ascending' | 'descending' | 'next') => void) | undefined;
  onMove: (by: -1 | 1) => void;
  onRemove: () => void;
  onWidth: (px: number | undefined) => void;
  isFirst: boolean;
  isLast: boolean;
  hasOwnWidth: boolean;
  /** As far as it is known: the column that takes what is left may be wider. */
  widthPx: number;
}

export interface ColumnHeaderProps {
  column: ListColumn;
  actions?: ColumnActions | undefined;
}

/** The heading of a column: sorts with a click; its menu moves and removes the column, its edge changes the width. */
export function ColumnHeader({ column, actions }: ColumnHeaderProps) {
  const cell = useRef<HTMLTableCellElement>(null);
  const isNumber = column.kind === 'duration';
  if (!actions) {
    return (
      <th scope="col" className={`${classes.heading} ${isNumber ? classes.right : ''}`}>
        <span className={classes.headingText}>{column.label}</span>
      </th>
    );
  }
  const { sort, onSort } = actions;
  return (
    <th
      ref={cell}
      scope="col"
      className={classes.heading}
      title={column.expression}
      {...(onSort ? { 'aria-sort': sort } : {})}
    >
      {onSort ? (
        <UnstyledButton className={classes.headingText} onClick={() => onSort('next')}>
          {column.label}
          {sort === 'ascending' ? <IconArrowUp size={12} aria-hidden /> : null}
          {sort === 'descending' ? <IconArrowDown size={12} aria-hidden /> : null}
        </UnstyledButton>
      ) : (
        <span className={classes.headingText}>{column.label}</span>
      )}
      <HeaderMenu column={column} actions={actions} />
      <WidthHandle column={column} actions={actions} widthOf={() => cell.current?.getBoundingClientRect().width ?? 0} />
    </th>
  );
}

function HeaderMenu({ column, actions }: Required<ColumnHeaderProps> & { actions: ColumnActions }) {
  const { onSort, onMove, onRemove, onWidth, isFirst, isLast, hasOwnWidth } = actions;
  return (
    <Menu position="bottom-start" withinPortal>
      <Menu.Target>
        <ActionIcon
          className={classes.headingMenu ?? ''}
          size={18}
          variant="subtle"
          color="gray"
          aria-label={`Column ${column.label}`}
        >
          <IconDotsVertical size={12} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconArrowUp size={14} />} disabled={!onSort} onClick={() => onSort?.('ascending')}>
          Sort ascending
        </Menu.Item>
        <Menu.Item leftSection={<IconArrowDown size={14} />} disabled={!onSort} onClick={() => onSort?.('descending')}>
          Sort descending
        </Menu.Item>
        {onSort ? null : <Menu.Label>Only columns of the table can be sorted by.</Menu.Label>}
        <Menu.Divider />
        <Menu.Item leftSection={<IconArrowLeft size={14} />} disabled={isFirst} onClick={() => onMove(-1)}>
          Move left
        </Menu.Item>
        <Menu.Item leftSection={<IconArrowRight size={14} />} disabled={isLast} onClick={() => onMove(1)}>
          Move right
        </Menu.Item>
        <Menu.Item leftSection={<IconRestore size={14} />} disabled={!hasOwnWidth} onClick={() => onWidth(undefined)}>
          Reset width
        </Menu.Item>
        <Menu.Item leftSection={<IconX size={14} />} disabled={isFirst && isLast} onClick={onRemove}>
          Remove column
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

const stepPx = 16;

interface WidthHandleProps extends Required<ColumnHeaderProps> {
  actions: ColumnActions;
  widthOf: () => number;
}

/** The edge of a column: dragged, or moved with the arrow keys; a double click restores it. */
function WidthHandle({ column, actions, widthOf }: WidthHandleProps) {
  const start = useRef<{ x: number; px: number }>(undefined);
  const down = (event: PointerEvent<HTMLHRElement>) => {
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    start.current = { x: event.clientX, px: widthOf() };
  };
  const move = ({ clientX }: PointerEvent) => {
    if (start.current) actions.onWidth(start.current.px + clientX - start.current.x);
  };
  const end = () => {
    start.current = undefined;
  };
  const step = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -stepPx, ArrowRight: stepPx }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    actions.onWidth(widthOf() + by);
  };
  return (
    <hr
      className={classes.widthHandle}
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={`Width of ${column.label}`}
      aria-valuemin={columnWidthMin}
      aria-valuenow={actions.widthPx}
      onPointerDown={down}
      onPointerMove={move}
      onPointerUp={end}
      onPointerCancel={end}
      onDoubleClick={() => actions.onWidth(undefined)}
      onKeyDown={step}
    />
  );
}
