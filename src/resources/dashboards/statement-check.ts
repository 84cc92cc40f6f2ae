import type { Problem } from '../../contract/problem.ts';
import type { Tile } from '../../contract/tile.ts';
import type { TileVariable } from '../../contract/variables.ts';

/** Port: what the database objects to in the statement of a tile of raw SQL. */
export interface StatementCheck {
  /** With a path from the tile; `undefined` also when the database is away: what is stored is checked again when it runs. */
  problemOf(tenantId: string, tile: Tile, variables: readonly TileVariable[]): Promise<Problem | undefined>;
}

/** For writers that have no database: statements are checked when they run. */
export const uncheckedStatements: StatementCheck = { problemOf: async () => undefined };
