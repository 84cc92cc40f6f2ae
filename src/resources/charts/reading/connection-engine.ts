import type { QueryRunner, TableSchemas, WriteTracker } from '../../../telemetry/ports.ts';
import type { Connection } from '../../connections/connection-repository.ts';

/** A database that charts can be read from. */
export interface ConnectionEngine {
  runner: QueryRunner;
  schemas: TableSchemas;
  /** Where all writing is known; answers may be remembered then. */
  writes?: WriteTracker;
}

/** Port: the ClickHouse endpoint behind a connection that a user made. Never called with a built-in connection. */
export interface RunnerForConnection {
  /**
   * Opens the sealed password, and rejects forbidden addresses (by the same guard as for webhooks).
   * Throws `TelemetryError` of kind `unavailable` or `failed`.
   */
  open(connection: Connection): Promise<ConnectionEngine>;
}
