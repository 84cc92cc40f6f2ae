import { LeaseLostError, type LedgerEntry, type PipeLedger } from '../pipes/pipe-ledger.ts';
import type { PipeProgress } from '../resources/pipes/pipe-run.ts';
import type { MetadataDatabase } from './metadata-database.ts';
import { parseDocument } from './stored-document.ts';

/** Keys in one statement; PostgreSQL and libsql take more. */
const keysMax = 500;

export class SqlPipeLedger implements PipeLedger {
  readonly #database: MetadataDatabase;

  constructor(database: MetadataDatabase) {
    this.#database = database;
  }

  async find(pipeId: string, keys: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>();
    for (let from = 0; from < keys.length; from += keysMax) {
      const rows = await this.#database.reads
        .selectFrom('pipe_positions')
        .select(['key', 'position'])
        .where('pipe_id', '=', pipeId)
        .where('key', 'in', keys.slice(from, from + keysMax))
        .execute();
      for (const { key, position } of rows) found.set(key, position);
    }
    return found;
  }

  async list(pipeId: string, prefix: string, max: number): Promise<LedgerEntry[]> {
    return this.#database.reads
      .selectFrom('pipe_positions')
      .select(['key', 'position'])
      .where('pipe_id', '=', pipeId)
      .where((where) => where(where.fn<string>('substr', ['key', where.val(1), where.val(prefix.length)]), '=', prefix))
      .orderBy('key')
      .limit(max)
      .execute();
  }

  async write(entry: Parameters<PipeLedger['write']>[0]): Promise<void> {
    const { owner, pipeId, generation, entries } = entry;
    await this.#database.transaction(async ({ writes }) => {
      const run = await writes
        .selectFrom('pipe_runs')
        .select(['progress', 'generation'])
        .where('pipe_id', '=', pipeId)
        .where('lease_owner', '=', owner)
        .executeTakeFirst();
      if (!run || run.generation !== (generation ?? run.generation)) throw new LeaseLostError();
      const gone = entries.filter(({ position }) => position === undefined).map(({ key }) => key);
      for (let from = 0; from < gone.length; from += keysMax) {
        await writes
          .deleteFrom('pipe_positions')
          .where('pipe_id', '=', pipeId)
          .where('key', 'in', gone.slice(from, from + keysMax))
          .execute();
      }
      const kept = entries.flatMap(({ key, position }) =>
        position === undefined ? [] : [{ pipe_id: pipeId, key, position }],
      );
      for (let from = 0; from < kept.length; from += keysMax) {
        await writes
          .insertInto('pipe_positions')
          .values(kept.slice(from, from + keysMax))
          .onConflict((conflict) =>
            conflict
              .columns(['pipe_id', 'key'])
              .doUpdateSet((excluded) => ({ position: excluded.ref('excluded.position') })),
          )
          .execute();
      }
      const progress = JSON.stringify(addedTo(parseDocument<PipeProgress>(run.progress), entry));
      if (progress === run.progress) return;
      await writes.updateTable('pipe_runs').set({ progress }).where('pipe_id', '=', pipeId).execute();
    });
  }
}

function addedTo(
  before: PipeProgress,
  { progress, lagMs, lagRecords, nowMs }: Omit<Parameters<PipeLedger['write']>[0], 'owner' | 'pipeId' | 'entries'>,
): PipeProgress {
  return {
    ...before,
    ...(progress && {
      rows: before.rows + progress.rows,
      bytes: before.bytes + progress.bytes,
      errors: before.errors + progress.errors,
      batches: before.batches + 1,
      lastSuccessAt: new Date(nowMs).toISOString(),
    }),
    ...(lagMs !== undefined && { lagMs }),
    ...(lagRecords !== undefined && { lagRecords }),
  };
}
