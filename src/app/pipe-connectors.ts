import type { Dispatcher } from 'undici';
import type { Clock } from '../kernel/clock.ts';
import { ObjectStorageConnector } from '../pipes/object-storage/object-storage-connector.ts';
import { type Connectors, connectorsOf } from '../pipes/run-check.ts';

export interface ConnectorDeps {
  /** Connections that the address guard checks. */
  dispatcher: Dispatcher;
  /** The only folder from which pipes may read files; absent = none. */
  filesFolder?: string;
  clock: Clock;
}

/** The kinds of source that this program reads. */
export function pipeConnectors(deps: ConnectorDeps): Connectors {
  return connectorsOf([new ObjectStorageConnector(deps)]);
}
