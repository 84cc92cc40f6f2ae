import { useComputedColorScheme } from '@mantine/core';
import type { TileAnswer, TileColumn } from '../../../../src/contract/tile-query.ts';
import { formatValue } from '../../charts/format-value.ts';
import { colorOfToken } from '../../charts/palette.ts';
import type { ResolvedRange } from '../time-range/time-range.ts';
import { joinMsOf } from './answer-series.ts';
import { colorOfNumber, type NumberLook } from './number-look.ts';
import { sparkline } from './sparkline.ts';
import classes from './Tile.module.css';

export interface RowsProps {
  columns: readonly TileColumn[];
  rows: readonly (readonly (string | number | null)[])[];
  /** What can be done with one row is asked for; absent if that is nothing. */
  onPart?: ((row: readonly (string | number | null)[], button: HTMLElement) => void) | undefined;
}

export interface NumberTileProps extends RowsProps {
  look: NumberLook;
  /** The same over time, where the tile asks for a line behind its number. */
  background: TileAnswer | undefined;
  range: ResolvedRange;
}

/** One large number: the last column of the only row, over what it was in the course of the range. */
export function NumberTile({ columns, rows, look, background, range }: NumberTileProps) {
  const scheme = useComputedColorScheme();
  const value = rows[0]?.at(-1);
  const text = typeof value === 'string' ? value : formatValue(value, columns.at(-1)?.numberFormat);
  const color = colorOfNumber(value, look, scheme);
  const chart = look.backgroundChart;
  const ink = colorOfToken(chart?.color, scheme) ?? color ?? colorOfToken('chart-blue', scheme) ?? '';
  return (
    <div className={classes.number} style={color ? { color } : {}}>
      {chart && background?.series ? (
        <Background answer={background} range={range} kind={chart.type} ink={ink} />
      ) : null}
      <span className={chart ? classes.overBackground : ''}>{text}</span>
    </div>
  );
}

interface BackgroundProps {
  answer: TileAnswer;
  range: ResolvedRange;
  kind: 'line' | 'area';
  ink: string;
}

function Background({ answer, range, kind, ink }: BackgroundProps) {
  const { line, area } = sparkline(answer.series?.at(-1)?.points ?? [], { ...range, joinMs: joinMsOf(answer) });
  return (
    <svg className={classes.background} viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
      {kind === 'area' ? <path d={area} fill={ink} opacity={0.16} /> : null}
      <path d={line} fill="none" stroke={ink} opacity={0.75} strokeWidth={1.5} vectorEffect="non-scaling-stroke" />
    </svg>
  );
}
