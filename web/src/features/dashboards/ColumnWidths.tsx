import type { TileColumn } from '../../../../src/contract/tile-query.ts';
import { cellText, type TableCells } from './TableRow.tsx';

export interface ColumnWidthsProps {
  columns: readonly TileColumn[];
  rows: readonly TableCells[];
  hasActions: boolean;
}

/** A column is as wide as the texts of these need. */
const measuredMax = 500;
const charactersMin = 6;
const charactersMax = 80;

/** Shares of the width by the longest texts, for tables whose columns must not move with the rows that are drawn. */
export function ColumnWidths({ columns, rows, hasActions }: ColumnWidthsProps) {
  const measured = rows.slice(0, measuredMax);
  const lengths = columns.map((column, index) => {
    const texts = measured.map((row) => cellText(row[index] ?? null, column).length);
    return Math.min(charactersMax, Math.max(charactersMin, column.name.length + 2, ...texts));
  });
  const total = lengths.reduce((sum, length) => sum + length, 0);
  return (
    <colgroup>
      {columns.map(({ name }, index) => (
        <col key={name} style={{ width: `${(100 * (lengths[index] ?? 0)) / total}%` }} />
      ))}
      {hasActions ? <col style={{ width: 44 }} /> : null}
    </colgroup>
  );
}
