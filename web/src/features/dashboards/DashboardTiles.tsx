import { useState } from 'react';
import type { Tile } from '../../../../src/contract/tile.ts';
import type { TileAnswer } from '../../../../src/contract/tile-query.ts';
import { useUrlState } from '../../url-state.ts';
import type { ResolvedRange } from '../time-range/time-range.ts';
import { DashboardGrid } from './DashboardGrid.tsx';
import { backgroundRef, numberLookOf } from './number-look.ts';
import { TileBody } from './TileBody.tsx';
import { type TileActions, TileFrame } from './TileFrame.tsx';
import { TileFull } from './TileFull.tsx';
import type { TileAlerts } from './tile-alerts.ts';

export interface DashboardTilesProps {
  dashboardId: string;
  tiles: readonly Tile[];
  /** By tile id; absent while they are read. */
  answers: ReadonlyMap<string, TileAnswer> | undefined;
  alerts: ReadonlyMap<string, TileAlerts>;
  range: ResolvedRange;
  isArranging: boolean;
  actions: TileActions;
  onZoom: (fromMs: number, toMs: number) => void;
  onMove: (tiles: Tile[]) => void;
}

/** All tiles on their grid, or the one that the address names alone (`viewedTileId`). */
export function DashboardTiles(props: DashboardTilesProps) {
  const { dashboardId, tiles, answers, alerts, range, actions, onZoom } = props;
  const [{ highlightedTileId, viewedTileId }, changeUrl] = useUrlState();
  const [leftTileId, setLeftTileId] = useState<string>();
  if (viewedTileId) {
    return (
      <TileFull
        key={viewedTileId}
        tile={tiles.find(({ id }) => id === viewedTileId)}
        answer={answers?.get(viewedTileId)}
        background={answers?.get(backgroundRef(viewedTileId))}
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
      renderTile={(tile, handle) => {
        const answer = answers?.get(tile.id);
        const watched = alerts.get(tile.id);
        return (
          <TileFrame
            dashboardId={dashboardId}
            tile={tile}
            answer={answer}
            handle={handle}
            highlighted={tile.id === highlightedTileId}
            takesFocus={tile.id === leftTileId}
            firing={watched?.firing ?? false}
            firingFromMs={watched?.cutAtMs}
            {...actions}
          >
            <TileBody
              label={tile.name || 'Chart'}
              look={tile.config ? numberLookOf(tile) : undefined}
              answer={answer}
              background={answers?.get(backgroundRef(tile.id))}
              range={range}
              syncKey={dashboardId}
              onZoom={onZoom}
              thresholds={watched?.thresholds}
              periods={watched?.periods}
            />
          </TileFrame>
        );
      }}
    />
  );
}
