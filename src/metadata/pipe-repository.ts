import type { StoredPipe } from '../resources/pipes/pipe.ts';
import type { PipeRepository } from '../resources/pipes/pipe-repository.ts';
import type { MetadataDatabase } from './metadata-database.ts';
import { runOf } from './pipe-states.ts';
import type { PipeTables } from './pipe-tables.ts';
import { parseDocument } from './stored-document.ts';

export class SqlPipeRepository implements PipeRepository {
  readonly #database: MetadataDatabase;

  constructor(database: MetadataDatabase) {
    this.#database = database;
  }

  async list(serviceId: string): Promise<StoredPipe[]> {
    const rows = await this.#withRuns(serviceId).orderBy('pipes.sequence').execute();
    return rows.map(toStored);
  }

  async find(serviceId: string, id: string): Promise<StoredPipe | undefined> {
    const row = await this.#withRuns(serviceId).where('pipes.id', '=', id).executeTakeFirst();
    return row && toStored(row);
  }

  #withRuns(serviceId: string) {
    return this.#database.reads
      .selectFrom('pipes')
      .leftJoin('pipe_runs', 'pipe_runs.pipe_id', 'pipes.id')
      .select(['pipes.document', 'pipe_runs.state', 'pipe_runs.reason', 'pipe_runs.changed_ms', 'pipe_runs.progress'])
      .where('pipes.tenant_id', '=', serviceId);
  }

  async insert(serviceId: string, pipe: StoredPipe): Promise<'inserted' | 'idTaken'> {
    const outcome = await this.#database.unlessTaken((executor) =>
      executor
        .insertInto('pipes')
        .values({ id: pipe.id, tenant_id: serviceId, document: documentOf(pipe) })
        .execute(),
    );
    return outcome === 'taken' ? 'idTaken' : 'inserted';
  }

  async replace(serviceId: string, pipe: StoredPipe): Promise<'replaced' | 'missing'> {
    const result = await this.#database.writes
      .updateTable('pipes')
      .set({ document: documentOf(pipe) })
      .where('tenant_id', '=', serviceId)
      .where('id', '=', pipe.id)
      .executeTakeFirst();
    return result.numUpdatedRows > 0n ? 'replaced' : 'missing';
  }

  async remove(serviceId: string, id: string): Promise<'removed' | 'missing'> {
    const result = await this.#database.writes
      .deleteFrom('pipes')
      .where('tenant_id', '=', serviceId)
      .where('id', '=', id)
      .executeTakeFirst();
    return result.numDeletedRows > 0n ? 'removed' : 'missing';
  }
}

/** The run has its own row. */
function documentOf({ run: _run, ...record }: StoredPipe): string {
  return JSON.stringify(record);
}

type PipeRow = { document: string } & {
  [Field in 'state' | 'reason' | 'changed_ms' | 'progress']: PipeTables['pipe_runs'][Field] | null;
};

function toStored({ document, state, reason, changed_ms, progress }: PipeRow): StoredPipe {
  const record = parseDocument<StoredPipe>(document);
  if (state === null || changed_ms === null || progress === null) return record;
  return { ...record, run: runOf({ state, reason, changed_ms, progress }) };
}
