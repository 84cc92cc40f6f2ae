import type { OldRecords } from '../evaluator/record-pruner.ts';
import type { MetadataDatabase } from './metadata-database.ts';

export class SqlOldRecords implements OldRecords {
  readonly #database: MetadataDatabase;

  constructor(database: MetadataDatabase) {
    this.#database = database;
  }

  async removeBefore(beforeMs: number, rowsMax: number): Promise<number> {
    // A transaction each: none of them holds up an evaluation or a delivery for long.
    const history = await this.#removeHistory(beforeMs, rowsMax);
    const messages = await this.#removeMessages(beforeMs, rowsMax);
    const attempts = await this.#removeAttempts(beforeMs, rowsMax);
    return history + messages + attempts;
  }

  #removeHistory(beforeMs: number, rowsMax: number): Promise<number> {
    return this.#database.transaction(async ({ writes, dialect }) => {
      const old = dialect.passingOverLocked(
        writes
          .selectFrom('alert_history')
          .select(['alert_id', 'window_end_ms'])
          .where('window_end_ms', '<', beforeMs)
          .orderBy('window_end_ms')
          .limit(rowsMax),
      );
      const result = await writes
        .deleteFrom('alert_history')
        .where(({ eb, refTuple }) =>
          eb(refTuple('alert_id', 'window_end_ms'), 'in', old.$asTuple('alert_id', 'window_end_ms')),
        )
        .executeTakeFirst();
      return Number(result.numDeletedRows);
    });
  }

  #removeMessages(beforeMs: number, rowsMax: number): Promise<number> {
    return this.#database.transaction(async ({ writes, dialect }) => {
      const old = dialect.passingOverLocked(
        writes
          .selectFrom('outbox')
          .select('sequence')
          .where('created_ms', '<', beforeMs)
          .where('status', '<>', 'open')
          .orderBy('created_ms')
          .limit(rowsMax),
      );
      const result = await writes.deleteFrom('outbox').where('sequence', 'in', old).executeTakeFirst();
      return Number(result.numDeletedRows);
    });
  }

  #removeAttempts(beforeMs: number, rowsMax: number): Promise<number> {
    return this.#database.transaction(async ({ writes, dialect }) => {
      const old = dialect.passingOverLocked(
        writes
          .selectFrom('delivery_attempts')
          .select('sequence')
          .where('at_ms', '<', beforeMs)
          .orderBy('at_ms')
          .limit(rowsMax),
      );
      const result = await writes.deleteFrom('delivery_attempts').where('sequence', 'in', old).executeTakeFirst();
      return Number(result.numDeletedRows);
    });
  }
}
