/** Displays that draw values over time. */
const timeDisplays = ['line', 'stacked_bar', 'stacked_line'] as const;
export type TimeDisplay = (typeof timeDisplays)[number];

export function isOverTime(displayType: string): displayType is TimeDisplay {
  return timeDisplays.some((each) => each === displayType);
}

/** How a line runs from one value to the next: straight, level until the next one, or in a curve through both. */
export const lineInterpolations = ['linear', 'step', 'smooth'] as const;
export type LineInterpolation = (typeof lineInterpolations)[number];
