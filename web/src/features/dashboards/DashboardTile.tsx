import { type ReactNode, useCallback, useMemo } from 'react';
import type { Tile } from '../../../../src/contract/tile.ts';
import { useRowLinks } from '../row-links/use-row-links.ts';
import type { ResolvedRange } from '../time-range/time-range.ts';
import { numberLookOf } from './number-look.ts';
import type { ChosenPart } from './PartMenu.tsx';
import { useTileAnswer, useVariables } from './TileAnswers.tsx';
import { TileBody } from './TileBody.tsx';
import { type TileActions, TileFrame } from './TileFrame.tsx';
import type { TileAlerts } from './tile-alerts.ts';
import { displayTypeOf, lineLookOf } from './tile-look.ts';

export interface DashboardTileProps {
  dashboardId: string;
  tile: Tile;
  watched: TileAlerts | undefined;
  range: ResolvedRange;
  handle: ReactNode;
  highlighted: boolean;
  takesFocus: boolean;
  actions: TileActions;
  onZoom: (fromMs: number, toMs: number) => void;
}

/** One tile of the grid, with what it was answered. */
export function DashboardTile({ dashboardId, tile, watched, range, onZoom, ...frame }: DashboardTileProps) {
  const { answer, background } = useTileAnswer(tile.id);
  const links = useRowLinks(tile, useVariables());
  const choose = frame.actions.onPart;
  const onPart = useCallback((part: ChosenPart) => choose(tile, part), [choose, tile]);
  const look = useMemo(() => (tile.config ? numberLookOf(tile) : undefined), [tile]);
  return (
    <TileFrame
      dashboardId={dashboardId}
      tile={tile}
      answer={answer}
      firing={watched?.firing ?? false}
      firingFromMs={watched?.cutAtMs}
      {...frame}
    >
      <TileBody
        label={tile.name || 'Chart'}
        look={look}
        display={displayTypeOf(tile)}
        {...lineLookOf(tile)}
        answer={answer}
        background={background}
        range={range}
        syncKey={dashboardId}
        onZoom={onZoom}
        thresholds={watched?.thresholds}
        periods={watched?.periods}
        onPart={onPart}
        links={links}
      />
    </TileFrame>
  );
}
