/** Every limit on one request for tiles. */
export const tileQueryLimits = {
  tiles: 50,
  filters: 100,
  filterValues: 1000,
  valueLength: 4096,
  refLength: 128,
  /** Characters of filters and expressions, of all tiles together. */
  textLength: 24_000,
} as const;
