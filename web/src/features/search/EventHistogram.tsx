import { SegmentedControl, Skeleton, Text, useComputedColorScheme } from '@mantine/core';
import { lazy, Suspense, useMemo, useState } from 'react';
import type { TileSeriesAnswer } from '../../../../src/contract/tile-query.ts';
import type { ChartSeries } from '../../charts/chart-series.ts';
import { colorsOf } from '../../charts/palette.ts';
import { plainProblem } from '../../ui/plain-problem.ts';
import { DurationHeatmap } from './DurationHeatmap.tsx';
import classes from './Search.module.css';
import { type EventSearch, useHistogram } from './search-queries.ts';
import type { EventSelection } from './search-selection.ts';

const TimeChart = lazy(async () => ({ default: (await import('../../charts/TimeChart.tsx')).TimeChart }));

export interface EventHistogramProps {
  search: EventSearch;
  onZoom: (fromMs: number, toMs: number) => void;
  onEvents: (selection: EventSelection) => void;
  onCompare: (selection: EventSelection) => void;
}

/** How many events there were when, and how long spans took. */
export function EventHistogram(props: EventHistogramProps) {
  const [isDurations, setDurations] = useState(false);
  if (props.search.source.kind !== 'trace') return <EventCounts {...props} />;
  return (
    <>
      <SegmentedControl
        aria-label="Chart"
        mb={6}
        value={isDurations ? 'durations' : 'counts'}
        data={[
          { value: 'counts', label: 'Number of spans' },
          { value: 'durations', label: 'Durations' },
        ]}
        onChange={(value) => setDurations(value === 'durations')}
      />
      {isDurations ? <DurationHeatmap {...props} /> : <EventCounts {...props} />}
    </>
  );
}

/** Dragging over it narrows the range. */
function EventCounts({ search, onZoom }: EventHistogramProps) {
  const scheme = useComputedColorScheme();
  const { data, error } = useHistogram(search);
  const series = useMemo(() => toSeries(data?.series ?? [], scheme), [data, scheme]);
  if (error) {
    return (
      <Text size="xs" c="var(--sb-muted)" mb={12}>
        No histogram: {plainProblem(error.message)}
      </Text>
    );
  }
  return (
    <div className={classes.histogram}>
      <Suspense fallback={<Skeleton height="100%" />}>
        {data ? (
          <TimeChart
            label="Events over time"
            kind="stacked_bar"
            series={series}
            startMs={search.range.startMs}
            endMs={search.range.endMs}
            granularityMs={data.granularityMs}
            legend={false}
            onZoom={onZoom}
          />
        ) : (
          <Skeleton height="100%" />
        )}
      </Suspense>
    </div>
  );
}

function toSeries(series: readonly TileSeriesAnswer[], scheme: 'light' | 'dark'): ChartSeries[] {
  const names = series.map(({ group, name }) => (group.length > 0 ? group.join(', ') || '(empty)' : name));
  const colors = colorsOf(names, scheme);
  return series.map(({ points }, index) => ({
    key: names[index] ?? '',
    name: names[index] ?? '',
    color: colors[index] ?? '',
    points,
  }));
}
