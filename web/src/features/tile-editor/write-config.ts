import type { Tile } from '../../../../src/contract/tile.ts';
import type { DisplayType } from '../dashboards/tile-look.ts';
import { type Fields, mergeSaid, unlessBlank } from './merge-said.ts';
import {
  canBeChange,
  type DraftItem,
  draftOf,
  formulasOf,
  isGrouped,
  ratioAfter,
  type TileDraft,
  takesSeveral,
} from './tile-draft.ts';
import { optionsSaid } from './tile-options.ts';

type Config = NonNullable<Tile['config']>;
/** What the draft alone does not show: it has parts that the form does not show. */
interface Parts {
  formulas: readonly Fields[];
  asRatio: boolean | undefined;
}

const single = new Set<DisplayType>(['pie', 'bar']);
const withRatio = new Set<DisplayType>(['line', 'stacked_bar', 'stacked_line', 'table']);

/** Whether `config` can say A / B without a formula. */
export const canBeRatio = (type: DisplayType) => withRatio.has(type);

/** The query of a tile in `config` form. */
export function configForm(draft: TileDraft, before: Tile): Config {
  // Of a statement nothing is left in a tile that is built.
  const stored = (before.config?.configType === 'sql' ? {} : (before.config ?? {})) as Fields;
  const given = draftOf(before);
  const was = { formulas: (stored.formulas ?? []) as Fields[], asRatio: stored.asRatio as boolean | undefined };
  const formulas = formulasOf(draft).map(({ origin = -1, expression }) => ({ ...was.formulas[origin], expression }));
  const now = saidOf(draft, { formulas, asRatio: ratioAfter(was.asRatio, given, draft) });
  const isSameDisplay = stored.displayType === draft.displayType;
  const merged = isSameDisplay ? mergeSaid(stored, saidOf(given, was), now) : mergeSaid({}, {}, now);
  const isSameKind = isSameDisplay || (stored.displayType !== 'heatmap' && draft.displayType !== 'heatmap');
  const items = Array.isArray(stored.select) && isSameKind ? (stored.select as Fields[]) : [];
  const select = selectOf(draft, items, given);
  return { ...merged, ...select } as Config;
}

function saidOf(draft: TileDraft, { formulas, asRatio }: Parts): Fields {
  const { displayType, sourceId, items, columns, markdown, numberFormat } = draft;
  if (displayType === 'markdown') return { displayType, markdown };
  const { where = '', whereLanguage = 'lucene' } = items[0] ?? {};
  if (displayType === 'search') return { displayType, sourceId, select: columns, where, whereLanguage };
  if (displayType === 'event_patterns') {
    return { displayType, sourceId, select: unlessBlank(columns), where, whereLanguage };
  }
  if (displayType === 'heatmap') return { displayType, sourceId, where, whereLanguage, numberFormat };
  return {
    displayType,
    sourceId,
    groupBy: isGrouped(displayType) ? unlessBlank(draft.groupBy) : undefined,
    formulas: takesSeveral(displayType) && formulas.length > 0 ? formulas : undefined,
    asRatio: canBeRatio(displayType) ? asRatio : undefined,
    numberFormat,
    onClick: displayType === 'table' ? draft.onClick : undefined,
    ...optionsSaid(draft.options, displayType, false),
  };
}

function selectOf(draft: TileDraft, stored: readonly Fields[], given: TileDraft): Fields {
  const { displayType, items } = draft;
  if (displayType === 'markdown' || displayType === 'search' || displayType === 'event_patterns') return {};
  if (displayType === 'heatmap') {
    const was = stored[0] ? saidOfHeatmap(given) : {};
    return { select: [mergeSaid(stored[0] ?? {}, was, saidOfHeatmap(draft))] };
  }
  const shown = single.has(displayType) ? items.slice(0, 1) : items;
  return {
    select: shown.map(({ origin = -1, ...item }) => {
      const base = stored[origin];
      const was = given.items[origin];
      return mergeSaid(base ?? {}, base && was ? saidOfItem(was) : {}, saidOfItem(item));
    }),
  };
}

function saidOfHeatmap({ items, amount, scale }: TileDraft): Fields {
  return {
    valueExpression: items[0]?.field ?? '',
    countExpression: unlessBlank(amount),
    heatmapScaleType: scale,
  };
}

function saidOfItem(item: DraftItem): Fields {
  const { aggFn, level, where, whereLanguage } = item;
  const metricName = unlessBlank(item.metricName);
  return {
    aggFn,
    // A metric has one value, whatever it is called.
    valueExpression: aggFn === 'count' ? '' : item.field || (metricName ? 'Value' : ''),
    where,
    whereLanguage,
    alias: unlessBlank(item.alias),
    level: aggFn === 'quantile' ? level : undefined,
    metricName,
    metricType: metricName && item.metricType,
    periodAggFn: canBeChange(item) ? item.periodAggFn : undefined,
  };
}
