import { AppError } from '../../../contract/errors.ts';
import type { MetricKind, SourceSchema } from '../../../query/source-schema.ts';
import type { Source } from '../../sources/source.ts';
import type { ReadableSources } from '../reading/readable-sources.ts';
import { sourceToSchema, tableOf } from '../reading/source-to-schema.ts';
import { QueryProblem } from '../request/query-problem.ts';
import type { SqlTile } from '../request/sql-tile.ts';
import type { SqlPlace } from './sql-place.ts';

/** Finds where the statements of tiles run. */
export class SqlPlaces {
  readonly #sources: Pick<ReadableSources, 'get' | 'engineOfConnection'>;

  constructor(sources: Pick<ReadableSources, 'get' | 'engineOfConnection'>) {
    this.#sources = sources;
  }

  /** Throws `query_invalid`, `source_not_found`, `connection_not_found`. */
  async open(tenantId: string, { connectionId, sourceId }: SqlTile): Promise<SqlPlace> {
    const source = sourceId === undefined ? undefined : await this.#sources.get(tenantId, sourceId);
    if (source && source.connection !== connectionId) {
      throw new QueryProblem('config.sourceId', 'belongs to another connection than connectionId');
    }
    const { engine, databases, name } = await this.#sources.engineOfConnection(tenantId, connectionId);
    const own = source?.from.databaseName;
    if (databases && own !== undefined && !databases.includes(own)) {
      throw new QueryProblem('config.sourceId', 'names a database that the built-in connection does not read');
    }
    const database = own ?? databases?.[0];
    return {
      connectionId,
      engine,
      name: source?.name ?? name,
      ...(database !== undefined && { database }),
      ...(databases && { databases }),
      ...(source && { source }),
    };
  }

  /** The live columns of the source's table. Throws `query_invalid`. */
  async schemaOf({ engine }: SqlPlace, source: Source, metricKind: MetricKind | undefined): Promise<SourceSchema> {
    if (source.kind === 'promql') throw new AppError('source_not_found');
    const table = await engine.schemas.describe(source.from.databaseName, tableOf(source, metricKind));
    if (table) return sourceToSchema(source, metricKind, table);
    throw new AppError('query_invalid', { public: `The table of the source "${source.name}" does not exist.` });
  }
}
