import type { Tile } from '../../../../src/contract/tile.ts';
import { mergeSaid } from './merge-said.ts';
import { draftOf, isStatement, type TileDraft } from './tile-draft.ts';
import { configForm } from './write-config.ts';
import { fitsSeries, seriesForm } from './write-series.ts';
import { sqlForm } from './write-sql.ts';

/**
 * The tile with what its form says. It keeps the form of the contract in which it was stored as long as that can say it
 * (decisions D5); a new tile, or one with formulas, bars or a pie, is written as `config`.
 * `isMetric`: whether the draft's source has metrics; those of another source are left behind.
 */
export function tileOf(draft: TileDraft, before: Tile, isMetric: boolean): Tile {
  const { series, asRatio: _asRatio, config: _config, ...rest } = before;
  const given = draftOf(before);
  const said = ({ name, description }: TileDraft) => ({ name, description });
  const place = mergeSaid(rest, said(given), said(draft)) as Omit<Tile, 'series' | 'config'>;
  if (isStatement(draft)) return { ...place, config: sqlForm(draft, before) };
  const held = isMetric || draft.sourceId === given.sourceId ? draft : withoutMetrics(draft);
  if (series && fitsSeries(held)) return { ...place, ...seriesForm(held, before) };
  return { ...place, config: configForm(held, before) };
}

function withoutMetrics(draft: TileDraft): TileDraft {
  return { ...draft, items: draft.items.map((item) => ({ ...item, metricName: '' })) };
}
