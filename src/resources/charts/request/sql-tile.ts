import type { NumberFormat } from '../../../contract/number-format.ts';
import type { Tile } from '../../../contract/tile.ts';
import { isSqlConfig, type SqlConfig } from '../../../contract/tile-config.ts';
import { isOverTime, type TimeDisplay } from '../../../contract/time-display.ts';
import { usesInterval, usesMacro } from '../../../query/compile-raw-sql.ts';

/** What a tile of raw SQL asks, and how its answer is drawn. */
export interface SqlTile {
  displayType: SqlConfig['displayType'];
  /** Over time, one row per group, or one row. */
  layout: 'time' | 'rows' | 'number';
  /** The statement, with its macros. */
  template: string;
  connectionId: string;
  sourceId?: string;
  numberFormat?: NumberFormat;
  /** Buckets without rows show a value too. */
  fill: boolean;
  /** The range is widened to whole buckets. */
  alignRange: boolean;
  comparePrevious: boolean;
  /** Most series; 0 = all, `undefined` = the usual number. */
  seriesLimit?: number;
}

/** Path of the statement in its tile. */
export const sqlTemplatePath = 'config.sqlTemplate';

/** `undefined` for a tile that is no raw SQL. */
export function sqlTileOf({ config }: Pick<Tile, 'config'>): SqlTile | undefined {
  if (!config || !isSqlConfig(config)) return undefined;
  const { displayType, sqlTemplate, connectionId, sourceId, numberFormat } = config;
  const common = {
    displayType,
    template: sqlTemplate,
    connectionId,
    ...(sourceId !== undefined && { sourceId }),
    ...(numberFormat && { numberFormat }),
  };
  if (!hasTimeAxis(config)) {
    const layout = displayType === 'number' ? 'number' : 'rows';
    return { ...common, layout, fill: false, alignRange: false, comparePrevious: false };
  }
  return {
    ...common,
    layout: 'time',
    fill: config.fillNulls ?? true,
    alignRange: config.alignDateRangeToGranularity ?? false,
    comparePrevious: config.displayType === 'line' && (config.compareToPreviousPeriod ?? false),
    ...(config.seriesLimit !== undefined && { seriesLimit: config.seriesLimit }),
  };
}

function hasTimeAxis(config: SqlConfig): config is Extract<SqlConfig, { displayType: TimeDisplay }> {
  return isOverTime(config.displayType);
}

/** Why no alert can watch it; `undefined` when one can: a statement over time needs buckets as wide as a window. */
export function unwatchableSql({ layout, template }: SqlTile): string | undefined {
  if (layout === 'rows') return 'Only lines, stacked bars and numbers have a value per window.';
  if (layout === 'number' || usesInterval(template)) return undefined;
  return 'Its SQL has no bucket that could be the window: use $__timeInterval(column), $__interval_s or {intervalSeconds:Int64}.';
}

/** What is wrong with a tile as a whole, beside its statement: path and reason. */
export function sqlTileProblem({ template, sourceId }: SqlTile): { path: string; message: string } | undefined {
  if (sourceId !== undefined) return undefined;
  const needed = ['filters', 'sourceTable'].find((macro) => usesMacro(template, macro));
  return needed === undefined
    ? undefined
    : { path: 'config.sourceId', message: `is required: the SQL uses $__${needed}` };
}
