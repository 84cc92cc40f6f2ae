import { Table, UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { useState } from 'react';
import type { TileColumn } from '../../../../src/contract/tile-query.ts';
import { formatValue } from '../../charts/format-value.ts';
import { PartButton } from '../../ui/PartButton.tsx';
import { RowLinkAnchor } from '../row-links/RowLinkAnchor.tsx';
import type { RowLinks } from '../row-links/use-row-links.ts';
import { formatEventTime } from '../search/event-text.ts';
import type { RowsProps } from './NumberTile.tsx';
import classes from './Tile.module.css';

interface Sorting {
  column: number;
  descending: boolean;
}

export interface TableTileProps extends RowsProps {
  label: string;
  /** The row of all groups that no other row shows: the last one, however the table is sorted. */
  other?: readonly (string | number | null)[] | undefined;
  /** The first cell of each row leads where they say. */
  links?: RowLinks | undefined;
}

/** Rows as the API ordered them, until a heading is pressed. */
export function TableTile({ label, columns, rows, other, onPart, links }: TableTileProps) {
  const [sorting, setSorting] = useState<Sorting>();
  const sorted = sorting ? [...rows].sort(comparing(sorting)) : rows;
  const press = (column: number) =>
    setSorting((now) => ({ column, descending: now?.column === column ? !now.descending : true }));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className={classes.scroll} tabIndex={0} aria-label={label}>
      <Table stickyHeader verticalSpacing={3} horizontalSpacing={10} fz="xs">
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ name, kind }, index) => (
              <Table.Th
                key={name}
                ta={kind === 'value' ? 'right' : 'left'}
                aria-sort={sorting?.column === index ? (sorting.descending ? 'descending' : 'ascending') : 'none'}
              >
                <UnstyledButton className={classes.heading ?? ''} onClick={() => press(index)}>
                  {name}
                  {sorting?.column === index ? <Arrow descending={sorting.descending} /> : null}
                </UnstyledButton>
              </Table.Th>
            ))}
            {onPart ? <Table.Th aria-label="Actions" /> : null}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {sorted.map((row) => (
            <Table.Tr key={JSON.stringify(row)}>
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
          ))}
          {other ? (
            <Table.Tr>
              {other.map((cell, index) => (
                <Table.Td
                  key={columns[index]?.name ?? index}
                  ta={columns[index]?.kind === 'value' ? 'right' : 'left'}
                  className={classes.cell ?? ''}
                >
                  {columns[index]?.kind === 'group' ? otherText(index) : cellText(cell, columns[index])}
                </Table.Td>
              ))}
              {onPart ? <Table.Td /> : null}
            </Table.Tr>
          ) : null}
        </Table.Tbody>
      </Table>
    </section>
  );
}

function otherText(column: number): string {
  return column === 0 ? 'Other' : '';
}

function nameOfRow(row: readonly (string | number | null)[], columns: readonly TileColumn[]): string {
  const groups = row.filter((_, index) => columns[index]?.kind === 'group');
  return groups.map((cell) => cell || '(empty)').join(', ') || 'the row';
}

/** As the database writes instants that are groups: `2026-11-29 10:00:00`. */
function inIso(cell: string): string {
  return /^\d{4}-\d{2}-\d{2} [\d:.]+$/.test(cell) ? `${cell.replace(' ', 'T')}Z` : cell;
}

function cellText(cell: string | number | null, column: TileColumn | undefined): string {
  if (cell === null) return '–';
  if (typeof cell === 'number') return formatValue(cell, column?.numberFormat);
  return column?.type === 'time' && cell !== '' ? formatEventTime(inIso(cell)) : cell;
}

function Arrow({ descending }: { descending: boolean }) {
  return descending ? <IconArrowDown size={12} aria-hidden /> : <IconArrowUp size={12} aria-hidden />;
}

function comparing({ column, descending }: Sorting) {
  const sign = descending ? -1 : 1;
  return (a: readonly (string | number | null)[], b: readonly (string | number | null)[]) => {
    const [left, right] = [a[column] ?? null, b[column] ?? null];
    if (left === null || right === null) return left === right ? 0 : left === null ? 1 : -1;
    if (typeof left === 'number' && typeof right === 'number') return sign * (left - right);
    return sign * String(left).localeCompare(String(right), undefined, { numeric: true });
  };
}
