import type { ConnectionRecord } from '../../contract/connection.ts';
import type { Connection } from './connection-repository.ts';

/** The record without its password, and without what only the program knows of it. */
export function presentConnection(connection: Connection): ConnectionRecord {
  const { sealedPassword: _sealed, builtIn: _builtIn, ...record } = connection;
  return record;
}
