import { Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import classes from '../features/dashboards/Dashboard.module.css';
import { dashboardQuery, useTileAnswers } from '../features/dashboards/dashboard-queries.ts';
import { TileBody } from '../features/dashboards/TileBody.tsx';
import { TimeRangePicker } from '../features/time-range/TimeRangePicker.tsx';
import { useTimeRange } from '../features/time-range/use-time-range.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorNotice } from '../ui/ErrorNotice.tsx';
import { Page } from '../ui/Page.tsx';
import { useUrlState } from '../url-state.ts';

/** A dashboard as its tiles are placed, over the time range of the address. */
export function DashboardPage() {
  const { dashboardId = '' }: { dashboardId?: string } = useParams({ strict: false });
  const [{ granularity, highlightedTileId }] = useUrlState();
  const time = useTimeRange();
  const found = useQuery(dashboardQuery(dashboardId));
  const dashboard = found.data?.data;
  const answers = useTileAnswers(dashboard, time.resolved, granularity);
  const zoom = (fromMs: number, toMs: number) => time.setRange({ from: String(fromMs), to: String(toMs) });
  return (
    <Page
      title={dashboard?.name ?? 'Dashboard'}
      actions={<TimeRangePicker state={time} isLoading={answers.isFetching} onRefresh={() => void answers.refetch()} />}
    >
      {found.error ? <ErrorNotice error={found.error} onRetry={() => void found.refetch()} /> : null}
      {answers.error ? <ErrorNotice error={answers.error} onRetry={() => void answers.refetch()} /> : null}
      {dashboard?.tiles.length === 0 ? (
        <EmptyState title="No tiles yet" hint="Tiles are added through PUT /api/v2/dashboards/:id." />
      ) : null}
      <div className={classes.grid}>
        {dashboard?.tiles.map(({ id, name, x, y, w, h }) => {
          const answer = answers.data?.get(id);
          return (
            <section
              key={id}
              aria-label={name}
              className={`${classes.tile} ${id === highlightedTileId ? classes.highlighted : ''}`}
              style={{ gridColumn: `${x + 1} / span ${w}`, gridRow: `${y + 1} / span ${h}` }}
            >
              <Title order={2} size="sm">
                {name}
              </Title>
              <div className={classes.body}>
                <TileBody label={name ?? 'Chart'} answer={answer} range={time.resolved} onZoom={zoom} />
              </div>
              {answer?.meta?.truncated ? (
                <Text size="xs" c="var(--sb-pending)">
                  Only the largest groups or first rows are shown.
                </Text>
              ) : null}
            </section>
          );
        })}
      </div>
    </Page>
  );
}
