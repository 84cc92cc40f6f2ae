import type { Source } from '../../sources/source.ts';
import type { ConnectionEngine } from '../reading/connection-engine.ts';

/** Where a statement runs, and what it may read there. */
export interface SqlPlace {
  connectionId: string;
  engine: ConnectionEngine;
  /** Where tables without a database are; the user's default when absent. */
  database?: string;
  /**
   * The tenant's own; the statement reads no other. Absent at a connection that a user made: there the rights of its
   * user decide.
   */
  databases?: readonly string[];
  source?: Source;
  /** The name of the source or connection, for people. */
  name: string;
}
