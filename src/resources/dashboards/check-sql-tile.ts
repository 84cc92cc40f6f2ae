import type { Problem } from '../../contract/problem.ts';
import type { Tile } from '../../contract/tile.ts';
import { sqlTileOf, sqlTileProblem } from '../charts/request/sql-tile.ts';

/** What is wrong with a tile of raw SQL beside its statement. Paths are relative to the tile. */
export function checkSqlTile(tile: Tile): Problem[] {
  const sql = sqlTileOf(tile);
  const problem = sql && sqlTileProblem(sql);
  return problem ? [problem] : [];
}
