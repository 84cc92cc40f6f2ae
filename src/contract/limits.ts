/** Every limit on what a client may send about dashboards, in one place. */
export const limits = {
  nameLength: 1024,
  tiles: 500,
  tags: 50,
  tagLength: 32,
  /** JSON text of keys that we do not know, per tile (decisions F8). */
  unknownBytesPerTile: 64 * 1024,
  tileIdLength: 36,
  seriesPerTile: 20,
  groupByFields: 10,
  selectItems: 20,
  formulas: 10,
  /** `where`, `field`, `alias`, `groupBy` text, conditions. */
  expressionLength: 10_000,
  sqlLength: 100_000,
  seriesMarkdownLength: 100_000,
  configMarkdownLength: 50_000,
  containers: 50,
  tabs: 20,
  containerIdLength: 256,
  filters: 100,
  savedFilterValues: 100,
  variableNameLength: 64,
  colorRules: 10,
  gridColumns: 24,
  gridRows: 100_000,
  pageSize: 1000,
} as const;
