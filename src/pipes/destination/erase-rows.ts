import { quoteName } from '../../kernel/sql-quoting.ts';
import type { TargetTable } from '../target-table.ts';
import { printedExpression } from './table-expression.ts';

/**
 * Adds, for each row whose version is lower, a row with the same key that says that it is gone. `undefined` for tables
 * whose rows are not replaced.
 */
export function eraseStatement(place: string, target: TargetTable, version: string): string | undefined {
  const { engine, sortingKey = [], columns = [] } = target;
  if (engine?.type !== 'ReplacingMergeTree' || !engine.versionColumnId || !engine.deletedColumnId) return undefined;
  const names = new Set(columns.map(({ name }) => name));
  const keys = sortingKey.map((text) => printedExpression(text, names));
  const [versionName, markName] = [quoteName(engine.versionColumnId), quoteName(engine.deletedColumnId)];
  const below = BigInt(version);
  return `INSERT INTO ${place} (${[...keys, versionName, markName].join(', ')})
SELECT ${[...keys, String(below - 1n), '1'].join(', ')} FROM ${place} FINAL
WHERE ${versionName} < ${below} AND ${markName} = 0`;
}
