import { useComputedColorScheme } from '@mantine/core';
import { formatValue } from '../../charts/format-value.ts';
import { colorOfToken, colorsOf } from '../../charts/palette.ts';
import { PartButton } from '../../ui/PartButton.tsx';
import type { RowsProps } from './NumberTile.tsx';
import { partOf, type Share, sharesOf, withOther } from './share-parts.ts';
import classes from './Tile.module.css';

interface DrawnShare extends Share {
  color: string;
}

export interface ShareTileProps extends RowsProps {
  kind: 'pie' | 'bar';
  label: string;
  /** The groups that no row shows. */
  left: Share | undefined;
}

/** More can't be taken in. */
const barsMax = 200;

/**
 * Parts of a whole: as a ring, where the smallest are summed up, or as bars beside their names. Both list names and values
 * as text, and begin at the top of the tile if they don't fit.
 */
export function ShareTile({ kind, label, columns, rows, left, onPart }: ShareTileProps) {
  const own = sharesOf(rows);
  const bars = [...own.slice(0, barsMax), ...(left ? [left] : [])];
  const shares = useColored(kind === 'pie' ? withOther(own, left) : bars);
  const format = columns.at(-1)?.numberFormat;
  const max = Math.max(...shares.map(partOf), 0);
  const total = shares.reduce((sum, share) => sum + partOf(share), 0);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset holds inputs
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <div className={classes.shares} role="group" tabIndex={0} aria-label={label}>
      {kind === 'pie' ? <Ring shares={shares} total={total} /> : null}
      <ul className={classes.shareList}>
        {shares.map((share) => (
          <li key={keyOf(share)} className={classes.share}>
            <span className={classes.shareName} title={share.name}>
              <i style={{ background: share.color }} />
              {share.name}
              {share.groups ? ` (${share.groups} ${share.groups === 1 ? 'group' : 'groups'})` : null}
            </span>
            <span className={classes.shareValue}>
              {formatValue(share.value, format)}
              {kind === 'pie' && total > 0 ? <small> {((100 * partOf(share)) / total).toFixed(1)} %</small> : null}
              {onPart ? <ShareAction share={share} onPart={onPart} /> : null}
            </span>
            {kind === 'bar' ? (
              <span className={classes.shareBar} aria-hidden="true">
                <b style={{ width: `${max > 0 ? (100 * partOf(share)) / max : 0}%`, background: share.color }} />
              </span>
            ) : null}
          </li>
        ))}
      </ul>
      {kind === 'bar' && own.length > barsMax ? (
        <p className={classes.moreShares}>
          The first {barsMax} of {own.length.toLocaleString('en-US')} bars. A table shows all of them.
        </p>
      ) : null}
    </div>
  );
}

/** The sum of several groups leads nowhere, and keeps the place free. */
function ShareAction({ share, onPart }: { share: Share; onPart: NonNullable<RowsProps['onPart']> }) {
  const { row } = share;
  if (!row) return <span className={classes.noAction} />;
  return <PartButton name={share.name} onClick={(button) => onPart(row, button)} />;
}

/** A group may be called Other, too. */
function keyOf({ name, groups }: Share): string {
  return groups === undefined ? name : `${groups} others`;
}

function useColored(shares: readonly Share[]): DrawnShare[] {
  const scheme = useComputedColorScheme();
  const colors = colorsOf(
    shares.map(({ name }) => name),
    scheme,
  );
  const grey = colorOfToken('chart-gray', scheme) ?? '';
  return shares.map((share, index) => ({
    ...share,
    color: share.groups === undefined ? (colors[index] ?? '') : grey,
  }));
}

const radius = 40;
const circumference = 2 * Math.PI * radius;

function Ring({ shares, total }: { shares: readonly DrawnShare[]; total: number }) {
  let before = 0;
  return (
    <svg className={classes.ring} viewBox="0 0 100 100" aria-hidden="true">
      {shares.map((share) => {
        const part = total > 0 ? partOf(share) / total : 0;
        const offset = before;
        before += part;
        return (
          <circle
            key={keyOf(share)}
            cx="50"
            cy="50"
            r={radius}
            fill="none"
            stroke={share.color}
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
