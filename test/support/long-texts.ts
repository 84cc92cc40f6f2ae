import type { Page } from 'playwright-core';

/** A name without a place to break at, as long as names may be. */
export const longName = 'name_without_a_place_to_break_'.repeat(8);

/** Boxes of the page whose content reaches beyond them, as their text: what a long name must not do. */
export async function overfullBoxes(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`[...document.querySelectorAll('main section, td, th, h1, h2, [role=dialog] header')]
    .filter((box) => box.scrollWidth > box.clientWidth + 1 && box.clientWidth > 0)
    // What may be scrolled sideways says so, and what is cut off is cut off on purpose.
    .filter((box) => box.tabIndex !== 0 && getComputedStyle(box).overflowX !== 'hidden')
    .map((box) => box.tagName + ' ' + box.textContent.slice(0, 80))`);
}
