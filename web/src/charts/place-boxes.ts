/** Where the pointer is in a plot, and how large the plot is. */
export interface PointerPlace {
  left: number;
  top: number;
  width: number;
  height: number;
}

const waiting = new Map<HTMLElement, PointerPlace>();

/**
 * Puts a box beside the pointer. All that wait are measured before any is moved: one by one, the page would be laid out
 * once for each chart that follows the pointer.
 */
export function placeInNextFrame(box: HTMLElement, place: PointerPlace): void {
  if (waiting.size === 0) requestAnimationFrame(placeAll);
  waiting.set(box, place);
}

function placeAll(): void {
  const measured = [...waiting].map(([box, place]) => {
    return { box, ...boxPlace({ width: box.offsetWidth, height: box.offsetHeight }, place) };
  });
  waiting.clear();
  for (const { box, left, top } of measured) box.style.translate = `${left}px ${top}px`;
}

const gapPx = 12;

/** Beside the pointer and within the plot, also where neither side has room: the page must not become wider. */
export function boxPlace(
  box: { width: number; height: number },
  { left, top, width, height }: PointerPlace,
): { left: number; top: number } {
  const beside = left > width / 2 ? left - gapPx - box.width : left + gapPx;
  return {
    left: Math.max(Math.min(beside, width - box.width), 0),
    top: Math.max(Math.min(top, height - box.height), 0),
  };
}
