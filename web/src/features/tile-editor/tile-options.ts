import type { DisplayType } from '../dashboards/tile-look.ts';

/** Options of a tile by their names in `config`. */
export type TileOptions = Readonly<Record<string, unknown>>;

const ofTime = ['seriesLimit', 'fillNulls', 'alignDateRangeToGranularity'];
const ofLines = [...ofTime, 'compareToPreviousPeriod', 'fitYAxisToData', 'lineInterpolation'];
const built: Partial<Record<DisplayType, readonly string[]>> = {
  line: [...ofLines, 'otherGroup', 'showOperandSeries'],
  stacked_bar: [...ofTime, 'otherGroup', 'showOperandSeries'],
  stacked_line: [...ofTime, 'lineInterpolation', 'otherGroup', 'showOperandSeries'],
  table: ['having', 'orderBy', 'groupByColumnsOnLeft', 'otherGroup', 'showOperandSeries'],
  number: ['color', 'colorRules', 'backgroundChart', 'showOperandSeries'],
  pie: ['orderBy', 'limit', 'otherGroup'],
  bar: ['orderBy', 'limit', 'otherGroup'],
};
const ofStatements: Partial<Record<DisplayType, readonly string[]>> = {
  line: ofLines,
  stacked_bar: ofTime,
  stacked_line: [...ofTime, 'lineInterpolation'],
  number: ['color'],
};

/** The options that a display has beside its query. */
export function optionKeys(display: DisplayType, isStatement: boolean): readonly string[] {
  return (isStatement ? ofStatements : built)[display] ?? [];
}

/** The options of a display, each of them said: `undefined` is one that is not set. */
export function optionsSaid(options: TileOptions, display: DisplayType, isStatement: boolean): Record<string, unknown> {
  return Object.fromEntries(optionKeys(display, isStatement).map((key) => [key, options[key]]));
}

/** The options with one of them set, or taken away by `undefined`. */
export function withOption(options: TileOptions, key: string, value: unknown): TileOptions {
  const { [key]: _before, ...rest } = options;
  return value === undefined ? rest : { ...rest, [key]: value };
}
