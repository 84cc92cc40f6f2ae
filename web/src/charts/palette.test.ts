import { describe, expect, it } from 'vitest';
import { colorOfToken, colorsOf } from './palette.ts';

describe('colours of series', () => {
  it('stay with their name, whatever the order', () => {
    const [a, b] = colorsOf(['checkout', 'cart'], 'light');
    expect(colorsOf(['cart', 'checkout'], 'light')).toEqual([b, a]);
  });

  it('differ inside one chart as long as there are enough of them', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    expect(new Set(colorsOf(names, 'dark')).size).toBe(names.length);
  });

  it('have one for any number of names', () => {
    const names = Array.from({ length: 60 }, (_, index) => `service-${index}`);
    expect(colorsOf(names, 'light').every((color) => /^#[0-9a-f]{6}$/.test(color))).toBe(true);
  });

  it('mean what severities mean', () => {
    expect(colorsOf(['error'], 'light')).toEqual([colorOfToken('chart-error', 'light')]);
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

function contrast(a: string, b: string): number {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return ((high ?? 0) + 0.05) / ((low ?? 0) + 0.05);
}

function luminance(hex: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (r ?? 0) + 0.7152 * (g ?? 0) + 0.0722 * (b ?? 0);
}
