/** At least 3:1 against both surfaces; those of the rotation stay apart for every common kind of colour blindness. */
export type ColorScheme = 'light' | 'dark';
type Shades = Readonly<Record<ColorScheme, string>>;

const hues = {
  'chart-blue': { light: '#2f6fed', dark: '#5b9bff' },
  'chart-orange': { light: '#d96b00', dark: '#ff9d3d' },
  'chart-green': { light: '#02a671', dark: '#2fd19b' },
  'chart-purple': { light: '#a948c5', dark: '#a948c5' },
  'chart-pink': { light: '#bb1664', dark: '#e94779' },
  'chart-cyan': { light: '#0e6a9b', dark: '#0bf0e0' },
  'chart-brown': { light: '#826954', dark: '#ecc7ac' },
  'chart-red': { light: '#c43a3a', dark: '#f47f7f' },
  'chart-light-blue': { light: '#5e29b3', dark: '#7268f2' },
  'chart-gray': { light: '#68707c', dark: '#a3abb8' },
  'chart-success': { light: '#1f7a4d', dark: '#4cc38a' },
  'chart-warning': { light: '#b87503', dark: '#f2b84b' },
  'chart-error': { light: '#d3262d', dark: '#ff6b70' },
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
  hues['chart-light-blue'],
  { light: '#4d6905', dark: '#fcca21' },
  { light: '#91006f', dark: '#e05ec6' },
  { light: '#215605', dark: '#768b09' },
];

/** What is as usual is grey: colour is for what needs a look. */
const quiet: Readonly<Record<'info' | 'debug', Shades>> = {
  info: { light: '#848d9b', dark: '#79838f' },
  debug: { light: '#5c6470', dark: '#aab2bd' },
};

/** The others are deeper, and taken when these are. */
const brightCount = 7;

/** Once all colours are taken they come again: lines dashed, areas in a deeper shade. */
const rounds: readonly { dash?: readonly number[]; towardsInk: number }[] = [
  { towardsInk: 0 },
  { dash: [7, 4], towardsInk: 0.26 },
  { dash: [2, 3], towardsInk: 0.45 },
];
const ink: Shades = { light: '#1b1d20', dark: '#ffffff' };

/** Names that already suggest a colour. */
const meant: Record<string, Shades> = {
  error: hues['chart-error'],
  fatal: hues['chart-error'],
  critical: hues['chart-error'],
  warn: hues['chart-warning'],
  warning: hues['chart-warning'],
  ok: hues['chart-success'],
  info: quiet.info,
  debug: quiet.debug,
  trace: quiet.debug,
  unset: quiet.info,
};

/** The colour behind a contract colour such as `chart-blue`; `undefined` for names that are none. */
export function colorOfToken(token: string | undefined, scheme: ColorScheme): string | undefined {
  return token !== undefined && token in hues ? hues[token as Hue][scheme] : undefined;
}

/** The colour that a name suggests, such as red for errors; `undefined` for most names. */
export function meantColor(name: string, scheme: ColorScheme): string | undefined {
  return meant[name.toLowerCase()]?.[scheme];
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
    const color = meantColor(name, scheme);
    chosen.set(name, color === undefined ? lookAt(freePlace(name, taken), scheme) : { color });
  }
  return names.map((name) => chosen.get(name) ?? { color: hues['chart-blue'][scheme] });
}

/** As `looksOf`, where nothing can be dashed. */
export function colorsOf(names: readonly string[], scheme: ColorScheme): string[] {
  return looksOf(names, scheme).map(({ color }) => color);
}

/** The first free place from that of the name on: among the bright colours, then the deep ones, then in the next round. */
function freePlace(name: string, taken: Set<number>): number {
  const start = hash(name) % brightCount;
  const order = rotation.map((_, step) => (step < brightCount ? (start + step) % brightCount : step));
  const places = rounds.flatMap((_, round) => order.map((each) => round * rotation.length + each));
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

/** Of a stacked area, below its line. */
export function areaColor(color: string, scheme: ColorScheme): string {
  return mixed(color, chartInk(scheme).surface, 0.62);
}

/** What canvases draw beside the data; they can't read `light-dark()` from a variable. */
export function chartInk(scheme: ColorScheme) {
  return scheme === 'dark'
    ? { text: '#9aa2ad', grid: '#2a2d32', firing: '#ff7b7f', surface: '#1b1d20', shade: 'rgb(255 123 127 / 14%)' }
    : { text: '#5c636e', grid: '#eceef1', firing: '#c1272d', surface: '#ffffff', shade: 'rgb(193 39 45 / 10%)' };
}
