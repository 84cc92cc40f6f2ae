/** Colours of series: apart for every common kind of colour blindness, at least 3:1 against both surfaces. */
export type ColorScheme = 'light' | 'dark';

const hues = {
  'chart-blue': { light: '#2f6fc4', dark: '#6ea8f0' },
  'chart-orange': { light: '#b8620b', dark: '#f0a04b' },
  'chart-green': { light: '#0f8578', dark: '#3cc2b1' },
  'chart-purple': { light: '#7a4fc0', dark: '#b094ee' },
  'chart-pink': { light: '#b83b82', dark: '#ea86bd' },
  'chart-cyan': { light: '#1384a8', dark: '#5cc5e6' },
  'chart-brown': { light: '#85573c', dark: '#c99b7e' },
  'chart-red': { light: '#c43a3a', dark: '#f47f7f' },
  'chart-light-blue': { light: '#5a67b8', dark: '#98a4ee' },
  'chart-gray': { light: '#68707c', dark: '#a3abb8' },
  'chart-success': { light: '#1f7a4d', dark: '#4cc38a' },
  'chart-warning': { light: '#8a5a00', dark: '#f2b84b' },
  'chart-error': { light: '#c1272d', dark: '#ff7b7f' },
} as const;
type Hue = keyof typeof hues;

/** In the order in which a chart with few series takes them. */
const rotation: readonly Hue[] = [
  'chart-blue',
  'chart-orange',
  'chart-green',
  'chart-purple',
  'chart-pink',
  'chart-cyan',
  'chart-brown',
  'chart-light-blue',
];

/** Names that everybody reads as a colour already. */
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

/**
 * A colour for each name, in the order given. The same name has the same colour in every chart, unless another name
 * of this chart took it first: then the next free one.
 */
export function colorsOf(names: readonly string[], scheme: ColorScheme): string[] {
  const taken = new Set<Hue>();
  const chosen = new Map<string, Hue>();
  for (const name of [...new Set(names)].sort()) {
    const hue = meant[name.toLowerCase()] ?? freeHue(name, taken);
    taken.add(hue);
    chosen.set(name, hue);
  }
  return names.map((name) => hues[chosen.get(name) ?? 'chart-blue'][scheme]);
}

function freeHue(name: string, taken: ReadonlySet<Hue>): Hue {
  const start = hash(name) % rotation.length;
  const inTurn = [...rotation.slice(start), ...rotation.slice(0, start)];
  return inTurn.find((hue) => !taken.has(hue)) ?? inTurn[0] ?? 'chart-blue';
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
    ? { text: '#9aa2ad', grid: '#2a2d32', firing: '#ff7b7f', shade: 'rgb(255 123 127 / 14%)' }
    : { text: '#5c636e', grid: '#eceef1', firing: '#c1272d', shade: 'rgb(193 39 45 / 10%)' };
}
