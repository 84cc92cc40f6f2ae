import { Table, UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { lazy, Suspense, useRef, useState } from 'react';
import type { RowLinks } from '../row-links/use-row-links.ts';
import { ColumnWidths } from './ColumnWidths.tsx';
import type { RowsProps } from './NumberTile.tsx';
import { cellText, type TableCells, TableRow } from './TableRow.tsx';
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

const LongRows = lazy(async () => ({ default: (await import('./LongRows.tsx')).LongRows }));
/** Of more rows only those in sight are drawn. */
const drawnMax = 200;

/** Rows as the API ordered them, until a heading is pressed. */
export function TableTile({ label, columns, rows, other, onPart, links }: TableTileProps) {
  const [sorting, setSorting] = useState<Sorting>();
  const scroller = useRef<HTMLDivElement>(null);
  const sorted = sorting ? [...rows].sort(comparing(sorting)) : rows;
  const isLong = rows.length > drawnMax;
  const press = (column: number) =>
    setSorting((now) => ({ column, descending: now?.column === column ? !now.descending : true }));
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset holds inputs
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <div ref={scroller} className={classes.scroll} role="group" tabIndex={0} aria-label={label}>
      <Table
        stickyHeader
        {...(isLong ? { 'aria-rowcount': rows.length + (other ? 2 : 1), layout: 'fixed' as const } : {})}
        verticalSpacing={3}
        horizontalSpacing={10}
        fz="xs"
      >
        {isLong ? <ColumnWidths columns={columns} rows={rows} hasActions={onPart !== undefined} /> : null}
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
          {isLong ? (
            <Suspense>
              <LongRows rows={sorted} scroller={scroller} {...{ columns, links, onPart }} />
            </Suspense>
          ) : (
            keyed(sorted).map(({ row, key }) => <TableRow key={key} {...{ columns, row, links, onPart }} />)
          )}
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
    </div>
  );
}

/** Statements may answer the same row several times. */
function keyed(rows: readonly TableCells[]): { row: TableCells; key: string }[] {
  const seen = new Map<string, number>();
  return rows.map((row) => {
    const text = JSON.stringify(row);
    const times = seen.get(text) ?? 0;
    seen.set(text, times + 1);
    return { row, key: times === 0 ? text : `${text} ${times}` };
  });
}

function otherText(column: number): string {
  return column === 0 ? 'Other' : '';
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
