import type { TileAnswer, TileHeatmap } from '../../../../src/contract/tile-query.ts';
import { Heatmap } from '../../charts/Heatmap.tsx';
import { timesText, valuesText } from '../../charts/heatmap-texts.ts';
import type { ResolvedRange } from '../time-range/time-range.ts';
import type { ChosenPart } from './PartMenu.tsx';

export interface HeatmapTileProps {
  label: string;
  answer: TileAnswer;
  heatmap: TileHeatmap;
  range: ResolvedRange;
  onPart: ((part: ChosenPart) => void) | undefined;
}

/** Where the events of a tile are dense, by time and value; a chosen region leads to its events. */
export function HeatmapTile({ label, answer, heatmap, range, onPart }: HeatmapTileProps) {
  return (
    <Heatmap
      label={label}
      heatmap={heatmap}
      startMs={range.startMs}
      endMs={range.endMs}
      granularityMs={answer.granularityMs ?? range.endMs - range.startMs}
      onRegion={
        onPart &&
        (({ startMs, endMs, low, high, at, from }) => {
          const window = { startMs, endMs };
          const name = `${timesText(window)}, ${valuesText({ low, high }, heatmap.numberFormat)}`;
          onPart({ select: 0, group: [], values: { low, high }, name, window, at, from });
        })
      }
    />
  );
}
