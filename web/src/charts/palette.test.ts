import { describe, expect, it } from 'vitest';
import { colorOfToken, colorsOf, heatColor, looksOf, markOf } from './palette.ts';

describe('colours of series', () => {
  it('stay with their name, whatever the order', () => {
    const [a, b] = colorsOf(['checkout', 'cart'], 'light');
    expect(colorsOf(['cart', 'checkout'], 'light')).toEqual([b, a]);
  });

  it('differ inside one chart as long as there are enough of them', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'];
    expect(new Set(colorsOf(names, 'dark')).size).toBe(names.length);
  });

  it.each(['light', 'dark'] as const)(
    'are distinguished when there are twenty, by dash or by colour (%s)',
    (scheme) => {
      const looks = looksOf(twenty, scheme);
      const pairs = looks.flatMap((a, at) => looks.slice(at + 1).map((b) => ({ a, b })));
      const alike = pairs.filter(({ a, b }) => markOf({ ...a, color: '' }) === markOf({ ...b, color: '' }));
      for (const { a, b } of alike) {
        for (const eye of eyes) expect(distance(a.color, b.color, eye), `${a.color} ${b.color}`).toBeGreaterThan(0.045);
      }
      expect(new Set(looks.map(({ color }) => color)).size).toBe(twenty.length);
    },
  );

  it.each(['light', 'dark'] as const)('are far apart for all eyes while each is used once (%s)', (scheme) => {
    const ten = [...new Set(colorsOf(twenty, scheme))].filter((_, index) => !looksOf(twenty, scheme)[index]?.dash);
    expect(ten).toHaveLength(10);
    for (const [at, a] of ten.entries()) {
      for (const b of ten.slice(at + 1)) {
        for (const eye of eyes) expect(distance(a, b, eye), `${a} ${b}`).toBeGreaterThan(0.07);
      }
    }
  });

  it('keep their dash with their name too', () => {
    const [first] = looksOf(twenty.slice(12, 13), 'light');
    expect(first?.dash).toBeUndefined();
    expect(looksOf([...twenty].reverse(), 'dark').reverse()).toEqual(looksOf(twenty, 'dark'));
  });

  it('have one for any number of names', () => {
    const names = Array.from({ length: 60 }, (_, index) => `service-${index}`);
    expect(colorsOf(names, 'light').every((color) => /^#[0-9a-f]{6}$/.test(color))).toBe(true);
  });

  it('mean what severities mean, and what is as usual is grey', () => {
    expect(colorsOf(['error'], 'light')).toEqual([colorOfToken('chart-error', 'light')]);
    for (const color of colorsOf(['info', 'debug', 'Trace', 'unset'], 'dark')) {
      const parts = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
      expect(Math.max(...parts) - Math.min(...parts), color).toBeLessThan(32);
    }
  });
});

describe('colours of amounts', () => {
  it.each([
    ['light', '#ffffff'],
    ['dark', '#1b1d20'],
  ] as const)('get further from the %s surface with every step, for all eyes', (scheme, surface) => {
    const steps = Array.from({ length: 21 }, (_, index) => contrast(heatColor(index / 20, scheme), surface));
    expect(steps).toEqual([...steps].sort((a, b) => a - b));
    expect(steps[0]).toBeGreaterThan(1.15);
    expect(steps.at(-1)).toBeGreaterThan(10);
  });

  it('have ends', () => {
    expect(heatColor(-1, 'light')).toBe(heatColor(0, 'light'));
    expect(heatColor(2, 'dark')).toBe(heatColor(1, 'dark'));
  });
});

describe('contrast', () => {
  it.each([
    ['light', '#ffffff'],
    ['dark', '#1b1d20'],
  ] as const)('is at least 3:1 on the %s surface', (scheme, surface) => {
    const names = Array.from({ length: 200 }, (_, index) => `s${index}`);
    for (const color of new Set(colorsOf([...names, 'error', 'warn', 'ok', 'debug'], scheme))) {
      expect(contrast(color, surface)).toBeGreaterThanOrEqual(3);
    }
  });
});

const twenty = Array.from({ length: 20 }, (_, index) => `service-${index}`);

/** How eyes without long, middle or short cones see linear light (Machado 2009), and how those with all do. */
const eyes: readonly (readonly (readonly number[])[])[] = [
  [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
];

/** Distance of two colours in OKLab as that eye sees them; about 0.02 is just noticeable. */
function distance(a: string, b: string, eye: (typeof eyes)[number]): number {
  const [x = [], y = []] = [a, b].map((color) =>
    oklab(times(eye, linear(color)).map((part) => Math.min(Math.max(part, 0), 1))),
  );
  return Math.hypot(...x.map((part, index) => part - (y[index] ?? 0)));
}

function oklab(light: readonly number[]): number[] {
  const cones = times(
    [
      [0.4122214708, 0.5363325363, 0.0514459929],
      [0.2119034982, 0.6806995451, 0.1073969566],
      [0.0883024619, 0.2817188376, 0.6299787005],
    ],
    light,
  ).map(Math.cbrt);
  return times(
    [
      [0.2104542553, 0.793617785, -0.0040720468],
      [1.9779984951, -2.428592205, 0.4505937099],
      [0.0259040371, 0.7827717662, -0.808675766],
    ],
    cones,
  );
}

function times(matrix: readonly (readonly number[])[], vector: readonly number[]): number[] {
  return matrix.map((row) => row.reduce((sum, part, index) => sum + part * (vector[index] ?? 0), 0));
}

function linear(hex: string): number[] {
  return [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
}

function contrast(a: string, b: string): number {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return ((high ?? 0) + 0.05) / ((low ?? 0) + 0.05);
}

function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = linear(hex);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
