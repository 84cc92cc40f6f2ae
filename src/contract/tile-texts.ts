import { tileQueryLimits } from './tile-query-limits.ts';

/** Texts that are shown. */
const shown: ReadonlySet<string> = new Set(['markdown', 'content', 'alias']);

/** Characters of the filters and expressions in what a tile or a request asks, in any form. */
export function queryTextLength(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.entries(value).reduce((sum, [key, part]) => sum + (shown.has(key) ? 0 : queryTextLength(part)), 0);
}

/** Of one tile; its name and whatever else is kept with it play no part. */
export function tileTextLength(tile: unknown): number {
  if (typeof tile !== 'object' || tile === null) return 0;
  // Whatever these two hold, `queryTextLength` takes it.
  const { series, config } = tile as { series?: unknown; config?: unknown };
  return queryTextLength([series, config]);
}

/** What narrows every tile of a request. */
export interface Narrowing {
  filters?: unknown;
  where?: unknown;
}

/**
 * What the tiles of one request may ask together. Planning takes the database time that grows with the text, so that
 * fifty long filters would be fifteen seconds of work. The first tile is always taken, with all that narrows it.
 */
export class TextAllowance {
  readonly #commonLength: number;
  #used = 0;

  constructor({ filters, where }: Narrowing) {
    this.#commonLength = queryTextLength([filters, where]);
  }

  /** `false` when the tile is one too many for this request. */
  take(tile: unknown): boolean {
    const length = tileTextLength(tile) + this.#commonLength;
    if (this.#used > 0 && this.#used + length > tileQueryLimits.textLength) return false;
    this.#used += length;
    return true;
  }
}

/** Parts of a long list of tiles, each of which one request may ask. */
export function tilesByRequest<Asked extends { tile: unknown }>(tiles: readonly Asked[], common: Narrowing): Asked[][] {
  const parts: Asked[][] = [];
  let allowance = new TextAllowance(common);
  for (const asked of tiles) {
    const part = parts.at(-1);
    if (part && part.length < tileQueryLimits.tiles && allowance.take(asked.tile)) {
      part.push(asked);
      continue;
    }
    allowance = new TextAllowance(common);
    allowance.take(asked.tile);
    parts.push([asked]);
  }
  return parts;
}
