import { useComputedColorScheme } from '@mantine/core';
import { formatValue } from '../../charts/format-value.ts';
import { colorsOf } from '../../charts/palette.ts';
import type { RowsProps } from './NumberTile.tsx';
import classes from './Tile.module.css';

interface Share {
  name: string;
  value: number;
  color: string;
}

/** Parts of a whole: as a ring, or as bars beside their names. Both list names and values as text. */
export function ShareTile({ kind, label, columns, rows }: RowsProps & { kind: 'pie' | 'bar'; label: string }) {
  const scheme = useComputedColorScheme();
  const named = rows.map((row) => ({ name: row.slice(0, -1).join(', ') || '(empty)', value: Number(row.at(-1) ?? 0) }));
  const colors = colorsOf(
    named.map(({ name }) => name),
    scheme,
  );
  const shares = named.map((one, index): Share => ({ ...one, color: colors[index] ?? '' }));
  const format = columns.at(-1)?.numberFormat;
  const max = Math.max(...shares.map(({ value }) => value), 0);
  const total = shares.reduce((sum, { value }) => sum + Math.max(value, 0), 0);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className={classes.shares} tabIndex={0} aria-label={label}>
      {kind === 'pie' ? <Ring shares={shares} total={total} /> : null}
      <ul className={classes.shareList}>
        {shares.map(({ name, value, color }) => (
          <li key={name} className={classes.share}>
            <span className={classes.shareName} title={name}>
              <i style={{ background: color }} />
              {name}
            </span>
            <span className={classes.shareValue}>
              {formatValue(value, format)}
              {kind === 'pie' && total > 0 ? <small> {((100 * value) / total).toFixed(1)} %</small> : null}
            </span>
            {kind === 'bar' ? (
              <span className={classes.shareBar} aria-hidden="true">
                <b style={{ width: `${max > 0 ? (100 * Math.max(value, 0)) / max : 0}%`, background: color }} />
              </span>
            ) : null}
          </li>
        ))}
      </ul>
    </section>
  );
}

const radius = 40;
const circumference = 2 * Math.PI * radius;

function Ring({ shares, total }: { shares: readonly Share[]; total: number }) {
  let before = 0;
  return (
    <svg className={classes.ring} viewBox="0 0 100 100" aria-hidden="true">
      {shares.map(({ name, value, color }) => {
        const part = total > 0 ? Math.max(value, 0) / total : 0;
        const offset = before;
        before += part;
        return (
          <circle
            key={name}
            cx="50"
            cy="50"
            r={radius}
            fill="none"
            stroke={color}
            strokeWidth="16"
            strokeDasharray={`${part * circumference} ${circumference}`}
            strokeDashoffset={-offset * circumference}
            transform="rotate(-90 50 50)"
          />
        );
      })}
    </svg>
  );
}
