import { Table } from '@mantine/core';
import type { TileColumn } from '../../../../src/contract/tile-query.ts';
import { formatValue } from '../../charts/format-value.ts';
import { PartButton } from '../../ui/PartButton.tsx';
import { RowLinkAnchor } from '../row-links/RowLinkAnchor.tsx';
import type { RowLinks } from '../row-links/use-row-links.ts';
import { formatEventTime } from '../search/event-text.ts';
import type { RowsProps } from './NumberTile.tsx';
import classes from './Tile.module.css';

export type TableCells = RowsProps['rows'][number];

export interface TableRowProps extends Pick<RowsProps, 'columns' | 'onPart'> {
  row: TableCells;
  links: RowLinks | undefined;
  /** Place in the whole table, from 1; where not all of it is drawn. */
  place?: number;
}

export function TableRow({ columns, row, links, onPart, place }: TableRowProps) {
  return (
    <Table.Tr aria-rowindex={place}>
      {row.map((cell, index) => {
        const column = columns[index];
        const text = cellText(cell, column) || '(empty)';
        return (
          <Table.Td
            key={column?.name ?? index}
            ta={column?.kind === 'value' ? 'right' : 'left'}
            className={classes.cell ?? ''}
            title={String(cell ?? '')}
          >
            {links && index === 0 ? <RowLinkAnchor link={links(columns, row)}>{text}</RowLinkAnchor> : text}
          </Table.Td>
        );
      })}
      {onPart ? (
        <Table.Td ta="right" className={classes.action ?? ''}>
          <PartButton name={nameOfRow(row, columns)} onClick={(button) => onPart(row, button)} />
        </Table.Td>
      ) : null}
    </Table.Tr>
  );
}

function nameOfRow(row: TableCells, columns: readonly TileColumn[]): string {
  const groups = row.filter((_, index) => columns[index]?.kind === 'group');
  return groups.map((cell) => cell || '(empty)').join(', ') || 'the row';
}

/** As the database writes instants that are groups: `2026-11-29 10:00:00`. */
function inIso(cell: string): string {
  return /^\d{4}-\d{2}-\d{2} [\d:.]+$/.test(cell) ? `${cell.replace(' ', 'T')}Z` : cell;
}

export function cellText(cell: string | number | null, column: TileColumn | undefined): string {
  if (cell === null) return '–';
  if (typeof cell === 'number') return formatValue(cell, column?.numberFormat);
  return column?.type === 'time' && cell !== '' ? formatEventTime(inIso(cell)) : cell;
}
