import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { accessibilityViolations, holdReachable, holdWidth } from './browser.ts';

/** A name without a place to break at, as long as names may be. */
export const longName = 'name_without_a_place_to_break_'.repeat(8);

/** Boxes of the page whose content reaches beyond them, as their text: what a long name must not do. */
async function overfullBoxes(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`[...document.querySelectorAll('main section, td, th, h1, h2, [role=dialog] header')]
    .filter((box) => box.scrollWidth > box.clientWidth + 1 && box.clientWidth > 0)
    // What may be scrolled sideways says so, and what is cut off is cut off on purpose.
    .filter((box) => box.tabIndex !== 0 && getComputedStyle(box).overflowX !== 'hidden')
    .map((box) => box.tagName + ' ' + box.textContent.slice(0, 80))`);
}

/** Nothing on the page reaches beyond its box or the window, and it is accessible; `where` names it. */
export async function holdLongTexts(page: Page, where: string): Promise<void> {
  await holdWidth(page, where);
  await expect.poll(() => overfullBoxes(page), { message: where }).toEqual([]);
  await holdReachable(page, where);
  expect.soft(await accessibilityViolations(page), where).toEqual([]);
}
