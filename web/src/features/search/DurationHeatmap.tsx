import { Menu, Skeleton, Text, UnstyledButton } from '@mantine/core';
import { IconArrowsDiff, IconListSearch, IconZoomIn } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import type { ChosenRegion } from '../../charts/heatmap-grid.ts';
import { timesText, valuesText } from '../../charts/heatmap-texts.ts';
import { plainProblem } from '../../ui/plain-problem.ts';
import type { EventHistogramProps } from './EventHistogram.tsx';
import classes from './Search.module.css';
import { useDurations } from './search-queries.ts';
import type { EventSelection } from './search-selection.ts';
import { withRange } from './where-clause.ts';

const Heatmap = lazy(async () => ({ default: (await import('../../charts/Heatmap.tsx')).Heatmap }));

/** How long the spans of a search took; what is chosen can be shown, or compared with the rest. */
export function DurationHeatmap({ search, onZoom, onEvents, onCompare }: EventHistogramProps) {
  const { data, error } = useDurations(search, true);
  const [region, setRegion] = useState<ChosenRegion>();
  if (error) {
    return (
      <Text size="xs" c="var(--sb-muted)" mb={12}>
        No heatmap: {plainProblem(error.message)}
      </Text>
    );
  }
  const close = () => {
    region?.from?.focus();
    setRegion(undefined);
  };
  const selection = region && selectionOf(search, region);
  return (
    <div className={classes.durations}>
      <Suspense fallback={<Skeleton height="100%" />}>
        {data?.heatmap ? (
          <Heatmap
            label="Durations over time"
            heatmap={data.heatmap}
            startMs={search.range.startMs}
            endMs={search.range.endMs}
            granularityMs={data.granularityMs ?? 60_000}
            onRegion={setRegion}
          />
        ) : (
          <Skeleton height="100%" />
        )}
      </Suspense>
      {region && selection ? (
        <Menu opened onClose={close} position="bottom-start" width={230} withinPortal>
          <Menu.Target>
            <UnstyledButton
              tabIndex={-1}
              aria-label="Actions for the selection"
              style={{ position: 'fixed', left: region.at.x, top: region.at.y, width: 1, height: 1 }}
            />
          </Menu.Target>
          <Menu.Dropdown aria-label="Actions for the selection">
            <Menu.Label>
              {timesText(region)}, {valuesText(region, data?.heatmap?.numberFormat)}
            </Menu.Label>
            <Menu.Item leftSection={<IconArrowsDiff size={14} />} onClick={() => onCompare(selection)}>
              Compare with the rest
            </Menu.Item>
            <Menu.Item leftSection={<IconListSearch size={14} />} onClick={() => onEvents(selection)}>
              Show events
            </Menu.Item>
            <Menu.Item
              leftSection={<IconZoomIn size={14} />}
              onClick={() => {
                setRegion(undefined);
                onZoom(region.startMs, region.endMs);
              }}
            >
              Zoom to this time
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      ) : null}
    </div>
  );
}

function selectionOf({ source, where, language }: EventHistogramProps['search'], region: ChosenRegion): EventSelection {
  const name = source.kind === 'trace' ? source.durationExpression.trim() : '';
  const { startMs, endMs } = region;
  return {
    where: withRange(where, { name, sql: name, type: 'number' }, region, language),
    language,
    range: { startMs, endMs },
  };
}
