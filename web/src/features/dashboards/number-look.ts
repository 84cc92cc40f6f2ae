import type { Tile } from '../../../../src/contract/tile.ts';
import { type ColorScheme, colorOfToken } from '../../charts/palette.ts';

type NumberConfig = Extract<NonNullable<Tile['config']>, { displayType: 'number' }>;

/** What a number tile says about how its number is drawn. */
export type NumberLook = Pick<Extract<NumberConfig, { select: unknown }>, 'color' | 'colorRules' | 'backgroundChart'>;
type ColorRule = NonNullable<NumberLook['colorRules']>[number];

export function numberLookOf({ config }: Pick<Tile, 'config'>): NumberLook {
  return config?.displayType === 'number' ? config : {};
}

/** Of the number itself: the first rule that matches wins, then the tile's own colour; none = as text is. */
export function colorOfNumber(
  value: string | number | null | undefined,
  { color, colorRules = [] }: NumberLook,
  scheme: ColorScheme,
): string | undefined {
  const rule = colorRules.find((each) => matches(value, each));
  return colorOfToken(rule?.color ?? color, scheme);
}

function matches(value: string | number | null | undefined, rule: ColorRule): boolean {
  if (rule.operator === 'eq') return String(value ?? '') === String(rule.value);
  if (rule.operator === 'neq') return String(value ?? '') !== String(rule.value);
  if (typeof value !== 'number') return false;
  if (rule.operator === 'between')
    return rule.value.every((limit, end) => (end === 0 ? value >= limit : value <= limit));
  const limit = Number(rule.value);
  const compared = { gt: value > limit, gte: value >= limit, lt: value < limit, lte: value <= limit };
  return compared[rule.operator];
}

const backgroundMark = '~background';

/** The line behind a number: the same query over time. `undefined` where the tile has none. */
export function backgroundTile(tile: Tile): Pick<Tile, 'id' | 'config'> | undefined {
  const { config, id } = tile;
  if (config?.displayType !== 'number' || !('select' in config) || !config.backgroundChart) return undefined;
  const { backgroundChart: _chart, color: _color, colorRules: _rules, ...query } = config;
  return { id: backgroundRef(id), config: { ...query, displayType: 'line' } };
}

/** Name of the answer that holds the line behind the number of this tile. */
export function backgroundRef(tileId: string): string {
  return `${tileId}${backgroundMark}`;
}
