import type { TileAnswer } from '../../../contract/tile-query.ts';
import { explainReads } from '../answer/explain-reads.ts';
import type { SqlReader, SqlReading } from '../raw-sql/sql-reader.ts';
import { type SqlFrame, sqlVariables } from '../raw-sql/write-sql.ts';
import { movedBack, wholeRange } from '../request/buckets.ts';
import type { TileFrame } from '../request/read-tiles-request.ts';
import { type SqlTile, sqlTemplatePath } from '../request/sql-tile.ts';
import { bucketsOfFrame, presentSqlNumber, presentSqlRows, presentSqlTime } from './present-sql-tile.ts';

type Body = Omit<TileAnswer, 'ref'>;
type Drawn = ReturnType<typeof presentSqlRows>;

/** The answer of a tile of raw SQL. Throws as `SqlReader.read` does. */
export async function answerSql(
  reader: Pick<SqlReader, 'read'>,
  tenantId: string,
  tile: SqlTile,
  options: TileFrame & { signal: AbortSignal },
): Promise<Body> {
  const frame = frameOf(tile, options);
  const frames = tile.comparePrevious ? [frame, previousFrame(frame)] : [frame];
  const read = (each: SqlFrame) =>
    reader.read(tenantId, tile, each, { queryClass: 'interactive', signal: options.signal });
  const readings = await Promise.all(frames.map(read));
  const [now, before] = readings;
  if (!now) throw new Error('a statement was not read');
  const drawn = draw(tile, now, frame);
  const previous =
    before && frames[1] ? presentSqlTime(tile, before.columns, frames[1], lengthOf(frame.range)).series : [];
  const { truncated, warnings = [], ...shown } = drawn;
  const series = shown.series && [...shown.series, ...previous.map((each) => ({ ...each, previous: true as const }))];
  const all = [...now.warnings, ...warnings.map((message) => ({ path: sqlTemplatePath, message }))];
  return {
    displayType: tile.displayType,
    ...shown,
    ...(series && { series }),
    meta: {
      ...costOf(readings),
      cache: 'off',
      exact: true,
      truncated,
      ...(all.length > 0 && { warnings: all }),
      ...(options.explain && { explain: explainReads(readings.map(({ read: ran }) => ran)) }),
    },
  };
}

function draw(tile: SqlTile, { columns }: SqlReading, frame: SqlFrame): Drawn {
  if (tile.layout === 'time') return presentSqlTime(tile, columns, frame);
  return tile.layout === 'number' ? presentSqlNumber(tile, columns) : presentSqlRows(tile, columns);
}

function frameOf({ alignRange }: SqlTile, frame: TileFrame): SqlFrame {
  const { range, granularityMs, bucketOriginMs, bucketEdges, conditions, variables } = frame;
  return {
    range: alignRange ? wholeRange(frame) : range,
    intervalMs: granularityMs,
    originMs: bucketOriginMs,
    ...(bucketEdges && { edges: bucketEdges }),
    conditions,
    variables: sqlVariables(variables),
  };
}

/** The stretch of time of the same length just before; its buckets lie under those of this one. */
function previousFrame(frame: SqlFrame): SqlFrame {
  const { range, bucketOriginMs, bucketEdges } = movedBack(bucketsOfFrame(frame), lengthOf(frame.range));
  return { ...frame, range, originMs: bucketOriginMs, ...(bucketEdges && { edges: bucketEdges }) };
}

function lengthOf({ startMs, endMs }: SqlFrame['range']): number {
  return endMs - startMs;
}

function costOf(readings: readonly SqlReading[]) {
  const statements = readings.flatMap(({ read }) => read.statements);
  return {
    rowsRead: statements.reduce((sum, { rowsRead }) => sum + rowsRead, 0),
    bytesRead: statements.reduce((sum, { bytesRead }) => sum + bytesRead, 0),
    elapsedMs: Math.max(0, ...statements.map(({ elapsedMs }) => elapsedMs)),
  };
}
