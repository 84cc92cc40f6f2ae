import { Text, useComputedColorScheme } from '@mantine/core';
import { lazy, memo, Suspense, useMemo } from 'react';
import type { TileAnswer } from '../../../../src/contract/tile-query.ts';
import { isOverTime } from '../../../../src/contract/time-display.ts';
import type { ShadedPeriod, Threshold } from '../../charts/chart-series.ts';
import { type ChosenSeries, TimeChart } from '../../charts/TimeChart.tsx';
import { instantText } from '../../ui/instant-text.ts';
import { Markdown } from '../../ui/Markdown.tsx';
import { NoData } from '../../ui/NoData.tsx';
import { placeBelow } from '../../ui/PartButton.tsx';
import { placeText, plainProblem } from '../../ui/plain-problem.ts';
import type { RowLinks } from '../row-links/use-row-links.ts';
import type { ResolvedRange } from '../time-range/time-range.ts';
import { chartSeriesOf, joinMsOf } from './answer-series.ts';
import { NumberTile } from './NumberTile.tsx';
import type { NumberLook } from './number-look.ts';
import type { ChosenPart } from './PartMenu.tsx';
import { ShareTile } from './ShareTile.tsx';
import { otherOf } from './share-parts.ts';
import { TableTile } from './TableTile.tsx';
import classes from './Tile.module.css';
import { TileSkeleton } from './TileSkeleton.tsx';
import type { DisplayType, LineLook } from './tile-look.ts';

const HeatmapTile = lazy(async () => ({ default: (await import('./HeatmapTile.tsx')).HeatmapTile }));

export interface TileBodyProps extends LineLook {
  label: string;
  /** What it is drawn as, for its shape while it is read. */
  display?: DisplayType;
  /** How a number is drawn. */
  look?: NumberLook | undefined;
  /** What is drawn behind a number. */
  background?: TileAnswer | undefined;
  /** Absent while it is read. */
  answer: TileAnswer | undefined;
  range: ResolvedRange;
  syncKey?: string;
  onZoom?: (fromMs: number, toMs: number) => void;
  thresholds?: readonly Threshold[] | undefined;
  periods?: readonly ShadedPeriod[] | undefined;
  /** One of the values was chosen; absent where they lead nowhere. */
  onPart?: ((part: ChosenPart) => void) | undefined;
  /** Where the rows of a table lead. */
  links?: RowLinks | undefined;
}

/** The content of a tile. An error is shown in its tile and does not affect the others. */
export const TileBody = memo(function TileBody(props: TileBodyProps) {
  const { answer, label } = props;
  if (!answer) return <TileSkeleton display={props.display} />;
  if (answer.error) return <Problem message={answer.error.message} path={answer.error.path} />;
  if (answer.content !== undefined) return <MarkdownTile content={answer.content} />;
  if (answer.heatmap) {
    const { range, onPart } = props;
    return (
      <Suspense fallback={<TileSkeleton display={undefined} />}>
        <HeatmapTile {...{ label, range, onPart }} answer={answer} heatmap={answer.heatmap} />
      </Suspense>
    );
  }
  if (answer.series) return <SeriesTile {...props} answer={answer} />;
  const columns = answer.columns ?? [];
  const other = answer.hasOther ? answer.rows?.at(-1) : undefined;
  const rows = (other ? answer.rows?.slice(0, -1) : answer.rows) ?? [];
  if (answer.displayType === 'number') {
    const { look = {}, background, range } = props;
    return <NumberTile {...{ columns, rows, look, background, range }} />;
  }
  if (rows.length === 0 && !other) return <NoData />;
  const groups = columns.filter(({ kind }) => kind === 'group').length;
  const { onPart, range } = props;
  const choose = onPart
    ? (row: readonly (string | number | null)[], from: HTMLElement) => {
        const group = row.slice(0, groups).map((cell) => String(cell ?? ''));
        const name = group.map((value) => value || '(empty)').join(', ');
        onPart({ select: 0, group, name, window: range, at: placeBelow(from), from });
      }
    : undefined;
  if (answer.displayType === 'pie' || answer.displayType === 'bar') {
    const left = other && otherOf(other, (answer.meta?.groupsTotal ?? Number.NaN) - rows.length);
    return <ShareTile kind={answer.displayType} {...{ label, columns, rows, left }} onPart={choose} />;
  }
  return (
    <TableTile
      label={label}
      columns={columns}
      rows={rows}
      other={other}
      onPart={answer.displayType === 'search' ? undefined : choose}
      links={props.links}
    />
  );
});

function SeriesTile({ answer, label, ...rest }: TileBodyProps & { answer: TileAnswer }) {
  const { displayType = 'line' } = answer;
  const scheme = useComputedColorScheme();
  const series = useMemo(() => chartSeriesOf(answer, scheme), [answer, scheme]);
  const { onPart, range } = rest;
  const choose = ({ index, atMs, at, from }: ChosenSeries) => {
    const chosen = answer.series?.[index];
    if (!chosen || chosen.previous || chosen.other) return;
    const window = atMs === undefined ? range : bucketAt(atMs, answer.granularityMs ?? 0, range);
    const name = [series[index]?.name, ...(atMs === undefined ? [] : [instantText(atMs)])].join(', ');
    onPart?.({ select: chosen.select, group: chosen.group, name, window, at, from });
  };
  return (
    <TimeChart
      label={label}
      kind={isOverTime(displayType) ? displayType : 'line'}
      series={series}
      startMs={rest.range.startMs}
      endMs={rest.range.endMs}
      granularityMs={answer.granularityMs}
      joinMs={joinMsOf(answer)}
      fitY={rest.fitY ?? false}
      interpolation={rest.interpolation}
      {...(rest.syncKey ? { syncKey: rest.syncKey } : {})}
      {...(rest.onZoom ? { onZoom: rest.onZoom } : {})}
      onPart={onPart ? choose : undefined}
      {...(rest.thresholds ? { thresholds: rest.thresholds } : {})}
      {...(rest.periods ? { periods: rest.periods } : {})}
    />
  );
}

/** The part of a bucket that is within the range. */
function bucketAt(atMs: number, granularityMs: number, { startMs, endMs }: ResolvedRange): ResolvedRange {
  return { startMs: Math.max(atMs, startMs), endMs: Math.min(atMs + granularityMs, endMs) };
}

function MarkdownTile({ content }: { content: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <div className={classes.markdown} tabIndex={0}>
      <Markdown text={content} />
    </div>
  );
}

function Problem({ message, path }: { message: string; path: string | undefined }) {
  return (
    <div className={classes.center} role="alert">
      <Text size="sm" c="var(--sb-firing)" ta="center" className={classes.problem ?? ''}>
        {plainProblem(message)}
      </Text>
      {path ? (
        <Text size="xs" c="var(--sb-muted)" ta="center">
          {placeText(path)}
        </Text>
      ) : null}
    </div>
  );
}
