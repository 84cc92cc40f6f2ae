import type uPlot from 'uplot';
import { describe, expect, it, vi } from 'vitest';
import { lineInterpolations } from '../../../src/contract/time-display.ts';
import type { ChartLook } from './chart-options.ts';

// uPlot asks what the screen is when it is loaded.
vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => undefined }));
const { chartOptions } = await import('./chart-options.ts');

const series = ['a', 'b'].map((name) => ({ key: name, name, color: '#2f6fed', points: [] }));
const live = () => ({
  ...{ range: [0, 10] as [number, number], isolated: [], whole: [true, true], granularityMs: 1 },
  ...{ values: [], onZoom: undefined },
});

function drawn(look: Partial<ChartLook>, count = 2): uPlot.Series[] {
  const places = { scheme: 'light', syncKey: undefined, follows: () => true, fitY: false } as const;
  const whole = { kind: 'line', interpolation: 'linear', ...places } as const;
  return chartOptions(series.slice(0, count), { ...whole, ...look }, live, []).series.slice(1);
}

describe('chartOptions', () => {
  it('fills below a line that is alone, and below each of a stack, opaque there so that it covers the sums above', () => {
    expect(drawn({}).map(({ fill }) => fill)).toEqual([undefined, undefined]);
    expect(drawn({}, 1).map(({ fill }) => fill)).toEqual(['#2f6fed1f']);
    for (const { fill } of drawn({ kind: 'stacked_line' })) expect(fill).toMatch(/^#[0-9a-f]{6}$/);
  });

  it('draws another path for each interpolation, also of stacked lines', () => {
    for (const kind of ['line', 'stacked_line'] as const) {
      const paths = lineInterpolations.map((interpolation) => String(drawn({ kind, interpolation })[0]?.paths));
      expect(new Set(paths).size).toBe(lineInterpolations.length);
    }
  });
});
