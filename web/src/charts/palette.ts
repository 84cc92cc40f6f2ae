/** At least 3:1 against both surfaces; those of the rotation stay apart for every common kind of colour blindness. */
export type ColorScheme = 'light' | 'dark';
type Shades = Readonly<Record<ColorScheme, string>>;

const hues = {
  'chart-blue': { light: '#004ca1', dark: '#78a5fb' },
  'chart-orange': { light: '#b97200', dark: '#bd7012' },
  'chart-green': { light: '#4c9e81', dark: '#2c976f' },
  'chart-purple': { light: '#a57ccd', dark: '#9566db' },
  'chart-pink': { light: '#83365d', dark: '#eb93b8' },
  'chart-cyan': { light: '#3b7995', dark: '#9bdcfb' },
  'chart-brown': { light: '#826954', dark: '#ecc7ac' },
  'chart-red': { light: '#c43a3a', dark: '#f47f7f' },
  'chart-light-blue': { light: '#5a67b8', dark: '#98a4ee' },
  'chart-gray': { light: '#68707c', dark: '#a3abb8' },
  'chart-success': { light: '#1f7a4d', dark: '#4cc38a' },
  'chart-warning': { light: '#8a5a00', dark: '#f2b84b' },
  'chart-error': { light: '#c1272d', dark: '#ff7b7f' },
} as const;
type Hue = keyof typeof hues;

/** In the order in which a chart with few series takes them. */
const rotation: readonly Shades[] = [
  hues['chart-blue'],
  hues['chart-orange'],
  hues['chart-green'],
  hues['chart-purple'],
  hues['chart-pink'],
  hues['chart-cyan'],
  hues['chart-brown'],
  { light: '#565a05', dark: '#aeae5c' },
];

/** Once all colours are taken they come again: lines dashed, areas in a deeper shade. */
const rounds: readonly { dash?: readonly number[]; towardsInk: number }[] = [
  { towardsInk: 0 },
  { dash: [7, 4], towardsInk: 0.45 },
  { dash: [2, 3], towardsInk: 0.22 },
];
const ink: Shades = { light: '#1b1d20', dark: '#ffffff' };

/** Names that already suggest a colour. */
const meant: Record<string, Hue> = {
  error: 'chart-error',
  fatal: 'chart-error',
  critical: 'chart-error',
  warn: 'chart-warning',
  warning: 'chart-warning',
  ok: 'chart-success',
  info: 'chart-blue',
  debug: 'chart-gray',
  trace: 'chart-gray',
  unset: 'chart-gray',
};

/** The colour behind a contract colour such as `chart-blue`; `undefined` for names that are none. */
export function colorOfToken(token: string | undefined, scheme: ColorScheme): string | undefined {
  return token !== undefined && token in hues ? hues[token as Hue][scheme] : undefined;
}

/** How a series is distinguished from the others of its chart. */
export interface SeriesLook {
  color: string;
  /** Of its line, in pixels; absent where it is solid. */
  dash?: readonly number[] | undefined;
}

/**
 * A look for each name, in the order given. The same name has the same one in every chart, unless another name of this
 * chart took it first: then the next free one.
 */
export function looksOf(names: readonly string[], scheme: ColorScheme): SeriesLook[] {
  const taken = new Set<number>();
  const chosen = new Map<string, SeriesLook>();
  for (const name of [...new Set(names)].sort()) {
    const hue = meant[name.toLowerCase()];
    chosen.set(name, hue ? { color: hues[hue][scheme] } : lookAt(freePlace(name, taken), scheme));
  }
  return names.map((name) => chosen.get(name) ?? { color: hues['chart-blue'][scheme] });
}

/** As `looksOf`, where nothing can be dashed. */
export function colorsOf(names: readonly string[], scheme: ColorScheme): string[] {
  return looksOf(names, scheme).map(({ color }) => color);
}

/** The first free place from that of the name on, of this round or of the next one. */
function freePlace(name: string, taken: Set<number>): number {
  const start = hash(name) % rotation.length;
  const places = rounds.flatMap((_, round) =>
    rotation.map((__, step) => round * rotation.length + ((start + step) % rotation.length)),
  );
  const place = places.find((each) => !taken.has(each)) ?? start;
  taken.add(place);
  return place;
}

function lookAt(place: number, scheme: ColorScheme): SeriesLook {
  const { dash, towardsInk } = rounds[Math.floor(place / rotation.length)] ?? { towardsInk: 0 };
  const color = mixed(rotation[place % rotation.length]?.[scheme] ?? '#808080', ink[scheme], towardsInk);
  return dash ? { color, dash } : { color };
}

function mixed(from: string, to: string, share: number): string {
  const parts = [1, 3, 5].map((at) => {
    const [a, b] = [from, to].map((color) => Number.parseInt(color.slice(at, at + 2), 16));
    return Math.round((a ?? 0) + ((b ?? 0) - (a ?? 0)) * share);
  });
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

/** One hue whose lightness alone says how much: distinguishable whatever colours a person sees. */
const heat: Readonly<Record<ColorScheme, readonly string[]>> = {
  light: ['#dce6f7', '#a9c1ea', '#6d93d6', '#2f62b5', '#0a2f6e'],
  dark: ['#22324f', '#2f5391', '#4c7ccd', '#86adf2', '#dbe8ff'],
};

/** The colour of a cell of a heatmap: the further from the surface, the more (`share` 0 to 1). */
export function heatColor(share: number, scheme: ColorScheme): string {
  const stops = heat[scheme];
  const place = Math.min(Math.max(share, 0), 1) * (stops.length - 1);
  const below = Math.min(Math.floor(place), stops.length - 2);
  return mixed(stops[below] ?? '', stops[below + 1] ?? '', place - below);
}

/** The mark beside a name: a square of the colour, or a piece of the dashed line. */
export function markOf({ color, dash }: SeriesLook): string {
  if (!dash) return color;
  const [on = 1, off = 1] = dash;
  return `repeating-linear-gradient(90deg, ${color} 0 ${on}px, transparent ${on}px ${on + off}px) center / 100% 3px no-repeat`;
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const char of text) value = Math.imul(value ^ (char.codePointAt(0) ?? 0), 0x01000193);
  return value >>> 0;
}

/** What canvases draw beside the data; they can't read `light-dark()` from a variable. */
export function chartInk(scheme: ColorScheme) {
  return scheme === 'dark'
    ? { text: '#9aa2ad', grid: '#2a2d32', firing: '#ff7b7f', surface: '#1b1d20', shade: 'rgb(255 123 127 / 14%)' }
    : { text: '#5c636e', grid: '#eceef1', firing: '#c1272d', surface: '#ffffff', shade: 'rgb(193 39 45 / 10%)' };
}
