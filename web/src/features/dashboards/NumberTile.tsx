import type { TileColumn } from '../../../../src/contract/tile-query.ts';
import { formatValue } from '../../charts/format-value.ts';
import classes from './Tile.module.css';

export interface RowsProps {
  columns: readonly TileColumn[];
  rows: readonly (readonly (string | number | null)[])[];
}

/** One large number: the last column of the only row. */
export function NumberTile({ columns, rows }: RowsProps) {
  const value = rows[0]?.at(-1);
  const text = typeof value === 'string' ? value : formatValue(value, columns.at(-1)?.numberFormat);
  return <div className={classes.number}>{text}</div>;
}
