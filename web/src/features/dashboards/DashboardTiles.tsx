import { Skeleton } from '@mantine/core';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import type { Dashboard } from '../../../../src/contract/dashboard.ts';
import type { Tile } from '../../../../src/contract/tile.ts';
import { useUrlState } from '../../url-state.ts';
import type { ResolvedRange } from '../time-range/time-range.ts';
import { DashboardGrid } from './DashboardGrid.tsx';
import { DashboardTile } from './DashboardTile.tsx';
import type { TilesQuestion } from './dashboard-queries.ts';
import type { SectionActions } from './SectionBox.tsx';
import { sectionViews, tilesOf } from './sections.ts';
import { TileAnswers, TilesProblem } from './TileAnswers.tsx';
import type { TileActions } from './TileFrame.tsx';
import type { TileAlerts } from './tile-alerts.ts';

// Many dashboards have no sections, and most visits look at all tiles.
const SectionBox = lazy(async () => ({ default: (await import('./SectionBox.tsx')).SectionBox }));
const TileFull = lazy(async () => ({ default: (await import('./TileFull.tsx')).TileFull }));

export interface DashboardTilesProps {
  dashboard: Pick<Dashboard, 'id' | 'tiles' | 'containers'>;
  alerts: ReadonlyMap<string, TileAlerts>;
  range: ResolvedRange;
  /** What all tiles are asked for. */
  question: Omit<TilesQuestion, 'tiles'>;
  isArranging: boolean;
  actions: TileActions & SectionActions;
  onZoom: (fromMs: number, toMs: number) => void;
  /** Tiles of one grid were moved. */
  onMove: (tiles: Tile[]) => void;
}

/** All tiles on their grids, by section, or the one that the address names alone (`viewedTileId`). */
export function DashboardTiles(props: DashboardTilesProps) {
  const { dashboard, alerts, range, question, actions, onZoom } = props;
  const [url, changeUrl] = useUrlState();
  const { highlightedTileId, viewedTileId } = url;
  const [leftTileId, setLeftTileId] = useState<string>();
  if (viewedTileId) {
    const viewed = dashboard.tiles.filter(({ id }) => id === viewedTileId);
    return (
      <AnsweredTiles question={{ ...question, tiles: viewed }}>
        <Suspense fallback={<Skeleton height={240} />}>
          <TileFull
            key={viewedTileId}
            tileId={viewedTileId}
            tile={viewed[0]}
            range={range}
            watched={alerts.get(viewedTileId)}
            actions={actions}
            onZoom={onZoom}
            onClose={() => {
              setLeftTileId(viewedTileId);
              changeUrl({ viewedTileId: undefined });
            }}
          />
        </Suspense>
      </AnsweredTiles>
    );
  }
  const grid = (tiles: readonly Tile[]) => (
    <AnsweredTiles question={{ ...question, tiles }}>
      <DashboardGrid
        tiles={tiles}
        editing={props.isArranging}
        onMove={props.onMove}
        renderTile={(tile, handle) => (
          <DashboardTile
            dashboardId={dashboard.id}
            tile={tile}
            watched={alerts.get(tile.id)}
            range={range}
            handle={handle}
            highlighted={tile.id === highlightedTileId}
            takesFocus={tile.id === leftTileId}
            actions={actions}
            onZoom={onZoom}
          />
        )}
      />
    </AnsweredTiles>
  );
  const loose = tilesOf(dashboard, {});
  const views = sectionViews(dashboard, url);
  return (
    <>
      {loose.length > 0 ? grid(loose) : null}
      <Suspense fallback={null}>
        {views.map((view, index) => (
          <SectionBox
            key={view.container.id}
            view={view}
            tileCount={dashboard.tiles.filter(({ containerId }) => containerId === view.container.id).length}
            isFirst={index === 0}
            isLast={index === views.length - 1}
            actions={actions}
          >
            {() => grid(view.tiles)}
          </SectionBox>
        ))}
      </Suspense>
    </>
  );
}

/** Each grid asks for its own tiles, so that opening a section reads nothing but what it shows. */
function AnsweredTiles({ question, children }: { question: TilesQuestion; children: ReactNode }) {
  return (
    <>
      <TilesProblem question={question} />
      <TileAnswers question={question}>{children}</TileAnswers>
    </>
  );
}
