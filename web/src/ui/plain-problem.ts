import { labelOf } from './field-labels.ts';

/** Names that only the page knows. */
export interface PlaceNames {
  /** Of a tile of the dashboard. */
  tileName?: (index: number) => string | undefined;
  /** Of fields of the form, by path. */
  labels?: Readonly<Record<string, string>> | undefined;
}

/** What lists of the API hold; series and formulas go by the letters and numbers of the editor. */
const nouns: Readonly<Record<string, string>> = {
  channels: 'channel',
  containers: 'section',
  filters: 'filter',
  formulas: 'formula',
  select: 'series',
  series: 'series',
  tiles: 'tile',
};

/** Places that are one field of a form. */
const wholePlaces: Readonly<Record<string, string>> = { 'from.databaseName': 'Database', 'from.tableName': 'Table' };

/** Starts small: `SQL: …` is none. */
const path = /^([a-z]\w*(?:\.\w+)*): (.+)$/s;
const prefix = /^(Body|Query) validation failed: /;

/**
 * A message of the API in the words of the pages: what it says of `config.select.0.aggFn` it says of `Aggregate of series
 * A`. Messages without such a path stay as they are.
 */
export function plainProblem(message: string, names: PlaceNames = {}) {
  return message
    .replace(prefix, '')
    .split('; ')
    .map((part) => {
      const [, place, reason] = path.exec(part) ?? [];
      return place && reason ? `${placeText(place, names)}: ${reason}` : part;
    })
    .join('; ');
}

/** `Aggregate of series A of tile “Requests”` */
export function placeText(place: string, names: PlaceNames = {}): string {
  const whole = names.labels?.[place] ?? wholePlaces[place];
  if (whole) return whole;
  const parts: string[] = [];
  const tokens = place.split('.').filter((token) => token !== 'config');
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] ?? '';
    const index = tokens[at + 1];
    if (index !== undefined && /^\d+$/.test(index)) {
      parts.unshift(itemText(token, Number(index), names));
      at++;
    } else parts.unshift(labelOf(token));
  }
  const text = parts.map((part, at) => (at === 0 ? part : lowerFirst(part))).join(' of ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function itemText(list: string, index: number, { tileName }: PlaceNames): string {
  const noun = nouns[list];
  if (!noun) return `${labelOf(list)} ${index + 1}`;
  if (noun === 'series') return `series ${String.fromCharCode(65 + index)}`;
  const name = noun === 'tile' ? tileName?.(index) : undefined;
  return name ? `tile “${name}”` : `${noun} ${index + 1}`;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
