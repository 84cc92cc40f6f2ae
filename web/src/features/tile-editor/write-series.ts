import type { TileSeries } from '../../../../src/contract/series.ts';
import { splitExpressions } from '../../../../src/contract/split-expressions.ts';
import type { Tile } from '../../../../src/contract/tile.ts';
import type { DisplayType } from '../dashboards/tile-look.ts';
import { type Fields, mergeSaid, unlessBlank } from './merge-said.ts';
import {
  canBeChange,
  type DraftItem,
  draftOf,
  formulasOf,
  ratioAfter,
  type TileDraft,
  takesSeveral,
} from './tile-draft.ts';
import { optionKeys } from './tile-options.ts';

const sayable = new Set<DisplayType>(['line', 'stacked_bar', 'table', 'number', 'search', 'markdown']);

/** Whether the seed's form can say what the draft holds: it has neither formulas, bars, pies, row links nor options. */
export function fitsSeries(draft: TileDraft): boolean {
  const hasLinks = draft.displayType === 'table' && draft.onClick !== undefined;
  const hasOptions = optionKeys(draft.displayType, false).some((key) => draft.options[key] !== undefined);
  return sayable.has(draft.displayType) && formulasOf(draft).length === 0 && !hasLinks && !hasOptions;
}

/** The query of a tile in `series` form. */
export function seriesForm(draft: TileDraft, before: Tile): Pick<Tile, 'series' | 'asRatio'> {
  const { series: stored = [], asRatio } = before;
  const given = draftOf(before);
  const items = takesSeveral(draft.displayType) ? draft.items : draft.items.slice(0, 1);
  const series = items.map(({ origin = -1, ...item }, index) => {
    const [base, was] = [stored[origin], given.items[origin]];
    const said = saidOf(draft, item);
    if (!base || !was) return mergeSaid({}, {}, said);
    // The form has source, groups and format only once: those of the first series, whichever that is now.
    const whole = index === 0 ? draftOf({ ...before, series: [base] }) : given;
    // A number may be stored without groups; what it becomes may need them.
    const needed = draft.displayType === 'number' || !said.groupBy ? {} : { groupBy: said.groupBy };
    return mergeSaid({ ...needed, ...base }, saidOf(whole, was), said);
  });
  // A search and a text are made by their first series; the form shows no others.
  const unseen = draft.displayType === given.displayType && !takesSeveral(draft.displayType) ? stored.slice(1) : [];
  const ratio = ratioAfter(asRatio, given, draft);
  return {
    ...(ratio === undefined ? {} : { asRatio: ratio }),
    series: [...(series as TileSeries[]), ...unseen],
  };
}

function saidOf(draft: TileDraft, item: DraftItem): Fields {
  const { displayType, sourceId, columns } = draft;
  const { where, whereLanguage } = item;
  if (displayType === 'markdown') return { type: displayType, content: draft.markdown };
  if (displayType === 'search') {
    const fields = splitExpressions(columns);
    return { type: displayType, sourceId, where, whereLanguage, fields: fields.length > 0 ? fields : undefined };
  }
  const groupBy = splitExpressions(draft.groupBy);
  const metricName = unlessBlank(item.metricName);
  return {
    ...(displayType === 'line' || displayType === 'stacked_bar' ? { displayType } : { type: displayType }),
    sourceId,
    aggFn: item.aggFn,
    field: item.aggFn === 'count' ? undefined : unlessBlank(item.field),
    level: item.aggFn === 'quantile' ? item.level : undefined,
    where,
    whereLanguage,
    // The one type that needs none.
    groupBy: displayType === 'number' && groupBy.length === 0 ? undefined : groupBy,
    alias: unlessBlank(item.alias),
    metricName,
    metricDataType: metricName && item.metricType,
    periodAggFn: canBeChange(item) ? item.periodAggFn : undefined,
    numberFormat: draft.numberFormat,
  };
}
