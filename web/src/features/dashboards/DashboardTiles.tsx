import { type ReactNode, useState } from 'react';
import type { Dashboard } from '../../../../src/contract/dashboard.ts';
import type { Tile } from '../../../../src/contract/tile.ts';
import { useUrlState } from '../../url-state.ts';
import type { ResolvedRange } from '../time-range/time-range.ts';
import { DashboardGrid } from './DashboardGrid.tsx';
import { DashboardTile } from './DashboardTile.tsx';
import type { TilesQuestion } from './dashboard-queries.ts';
import { type SectionActions, SectionBox } from './SectionBox.tsx';
import { sectionViews, tilesOf } from './sections.ts';
import { TileAnswers, TilesProblem } from './TileAnswers.tsx';
import type { TileActions } from './TileFrame.tsx';
import { TileFull } from './TileFull.tsx';
import type { TileAlerts } from './tile-alerts.ts';

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
