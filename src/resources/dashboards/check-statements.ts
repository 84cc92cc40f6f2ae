import type { Problem } from '../../contract/problem.ts';
import { sqlTileOf } from '../charts/request/sql-tile.ts';
import type { ChangedTile } from './check-dashboard.ts';
import type { Dashboard } from './dashboard.ts';
import { unchosenVariables } from './dashboard-variables.ts';
import type { StatementCheck } from './statement-check.ts';

/** Statements that one write has checked; beyond these they are checked when they run. */
const checkedMax = 100;

/** What the database objects to in the statements that this write made or changed, one after the other. */
export async function checkStatements(
  check: StatementCheck,
  tenantId: string,
  { after, changed }: { after: Dashboard; changed: readonly ChangedTile[] },
): Promise<Problem[]> {
  const problems: Problem[] = [];
  const variables = unchosenVariables(after.filters);
  const statements = changed.filter(({ tile }) => sqlTileOf(tile) !== undefined);
  for (const { tile, index } of statements.slice(0, checkedMax)) {
    const problem = await check.problemOf(tenantId, tile, variables);
    if (problem) problems.push({ ...problem, path: `tiles.${index}.${problem.path}` });
  }
  return problems;
}
