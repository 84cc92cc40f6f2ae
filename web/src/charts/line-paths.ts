import uPlot from 'uplot';

/** What of the scales a path needs, in pixels of the canvas. */
interface Place {
  times: ArrayLike<number>;
  min: number;
  max: number;
  left: number;
  width: number;
}

/** Points per pixel from which on uPlot draws the lowest and the highest of each pixel only. */
const thinnedFrom = 4;

/**
 * Lines for one chart: the same pixels as uPlot's own, which ask several functions for each point and the times anew
 * for each series. Series with gaps (`isWhole` says no) or very many points are left to those.
 */
export function linePaths(): (isWhole: () => boolean) => uPlot.Series.PathBuilder {
  const general = uPlot.paths.linear?.();
  const columnsOf = pixelColumns();
  return (isWhole) => (plot, place, first, last) => {
    const { x, y } = plot.scales;
    const { left, width, top, height } = plot.bbox;
    const values = plot.data[place];
    const isPlain = isWhole() && last - first < thinnedFrom * width;
    if (!isPlain || !values || x?.min == null || x.max == null || y?.min == null || y.max == null) {
      return general?.(plot, place, first, last) ?? null;
    }
    const columns = columnsOf({ times: plot.data[0], min: x.min, max: x.max, left, width });
    const stroke = new Path2D();
    // As few steps as possible per point: each allocates its result as long as the page is interpreted.
    const perUnit = height / (y.max - y.min);
    const bottom = top + height + y.min * perUnit;
    let [beforeX, beforeY] = [Number.NaN, Number.NaN];
    const firstX = columns[first] ?? 0;
    for (let index = first; index <= last; index++) {
      const atX = columns[index] ?? 0;
      const atY = Math.round(bottom - (values[index] ?? 0) * perUnit);
      // Many points of a dense line fall on the pixel of the one before.
      if (atX === beforeX && atY === beforeY) continue;
      stroke.lineTo(atX, atY);
      beforeX = atX;
      beforeY = atY;
    }
    const fill = plot.series[place]?.fill
      ? areaUnder(stroke, firstX, beforeX, zeroOf(y.min, y.max, bottom, perUnit))
      : null;
    return { stroke, fill, clip: null, band: null, gaps: [], flags: 1 };
  };
}

/** Where zero is, or the edge of the plot next to it. */
function zeroOf(min: number, max: number, bottom: number, perUnit: number): number {
  return Math.round(bottom - Math.min(Math.max(0, min), max) * perUnit);
}

function areaUnder(stroke: Path2D, firstX: number, lastX: number, zeroY: number): Path2D {
  const area = new Path2D(stroke);
  area.lineTo(lastX, zeroY);
  area.lineTo(firstX, zeroY);
  return area;
}

/** Canvas positions of the times: computed once for all series that are drawn together. */
function pixelColumns(): (place: Place) => Int32Array {
  let known: Place | undefined;
  let columns = new Int32Array(0);
  return (place) => {
    if (known && isSame(known, place)) return columns;
    const { times, min, max, left, width } = place;
    columns = Int32Array.from(times, (at) => Math.round(left + width * ((at - min) / (max - min))));
    known = place;
    return columns;
  };
}

function isSame(a: Place, b: Place): boolean {
  return a.times === b.times && a.min === b.min && a.max === b.max && a.left === b.left && a.width === b.width;
}
