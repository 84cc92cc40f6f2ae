import { Skeleton, Table } from '@mantine/core';
import classes from './RowSkeleton.module.css';

/** From which width on a column is there; `base` always. */
export type ColumnFrom = 'base' | 'sm' | 'lg';

export interface RowSkeletonProps {
  /** One for each head of the table. */
  columns: readonly ColumnFrom[];
  rows?: number;
}

/** Parts of a cell's width that differ from row to row, as texts do. */
const widths = [72, 54, 86, 63, 78];

/** Rows of a table while they are read, in its body: the heads stand where they will stand. */
export function RowSkeleton({ columns, rows = 5 }: RowSkeletonProps) {
  return Array.from({ length: rows }, (_, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: nothing else distinguishes them
    <Table.Tr key={row} aria-hidden="true">
      {columns.map((from, column) => (
        <Table.Td
          // biome-ignore lint/suspicious/noArrayIndexKey: as above
          key={column}
          className={classes.cell ?? ''}
          {...(from === 'base' ? {} : { visibleFrom: from })}
        >
          <Skeleton height={10} width={`${widths[(row * 2 + column) % widths.length]}%`} />
        </Table.Td>
      ))}
    </Table.Tr>
  ));
}
