import { labelOf } from './field-labels.ts';

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

/** Starts small: `SQL: …` is none. */
const path = /^([a-z]\w*(?:\.\w+)*): (.+)$/s;
const prefix = /^(Body|Query) validation failed: /;

/**
 * A message of the API in the words of the pages: what it says of `config.select.0.aggFn` it says of `Aggregate of series
 * A`. `tileName` names the tiles of a dashboard. Messages without such a path stay as they are.
 */
export function plainProblem(message: string, tileName: (index: number) => string | undefined = () => undefined) {
  return message
    .replace(prefix, '')
    .split('; ')
    .map((part) => {
      const [, place, reason] = path.exec(part) ?? [];
      return place && reason ? `${placeText(place, tileName)}: ${reason}` : part;
    })
    .join('; ');
}

/** `Aggregate of series A of tile “Requests”` */
export function placeText(place: string, tileName: (index: number) => string | undefined = () => undefined): string {
  const parts: string[] = [];
  const tokens = place.split('.').filter((token) => token !== 'config');
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] ?? '';
    const index = tokens[at + 1];
    if (index !== undefined && /^\d+$/.test(index)) {
      parts.unshift(itemText(token, Number(index), tileName));
      at++;
    } else parts.unshift(labelOf(token));
  }
  const text = parts.map((part, at) => (at === 0 ? part : lowerFirst(part))).join(' of ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function itemText(list: string, index: number, tileName: (index: number) => string | undefined): string {
  const noun = nouns[list];
  if (!noun) return `${labelOf(list)} ${index + 1}`;
  if (noun === 'series') return `series ${String.fromCharCode(65 + index)}`;
  const name = noun === 'tile' ? tileName(index) : undefined;
  return name ? `tile “${name}”` : `${noun} ${index + 1}`;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
