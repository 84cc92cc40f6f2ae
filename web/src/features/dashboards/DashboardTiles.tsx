import { useState } from 'react';
import type { Tile } from '../../../../src/contract/tile.ts';
import { useUrlState } from '../../url-state.ts';
import type { ResolvedRange } from '../time-range/time-range.ts';
import { DashboardGrid } from './DashboardGrid.tsx';
import { DashboardTile } from './DashboardTile.tsx';
import type { TileActions } from './TileFrame.tsx';
import { TileFull } from './TileFull.tsx';
import type { TileAlerts } from './tile-alerts.ts';

export interface DashboardTilesProps {
  dashboardId: string;
  tiles: readonly Tile[];
  alerts: ReadonlyMap<string, TileAlerts>;
  range: ResolvedRange;
  isArranging: boolean;
  actions: TileActions;
  onZoom: (fromMs: number, toMs: number) => void;
  onMove: (tiles: Tile[]) => void;
}

/** All tiles on their grid, or the one that the address names alone (`viewedTileId`); within `TileAnswers`. */
export function DashboardTiles(props: DashboardTilesProps) {
  const { dashboardId, tiles, alerts, range, actions, onZoom } = props;
  const [{ highlightedTileId, viewedTileId }, changeUrl] = useUrlState();
  const [leftTileId, setLeftTileId] = useState<string>();
  if (viewedTileId) {
    return (
      <TileFull
        key={viewedTileId}
        tileId={viewedTileId}
        tile={tiles.find(({ id }) => id === viewedTileId)}
        range={range}
        watched={alerts.get(viewedTileId)}
        actions={actions}
        onZoom={onZoom}
        onClose={() => {
          setLeftTileId(viewedTileId);
          changeUrl({ viewedTileId: undefined });
        }}
      />
    );
  }
  return (
    <DashboardGrid
      tiles={tiles}
      editing={props.isArranging}
      onMove={props.onMove}
      renderTile={(tile, handle) => (
        <DashboardTile
          dashboardId={dashboardId}
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
  );
}
