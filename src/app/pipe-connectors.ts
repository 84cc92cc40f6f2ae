import { type Connectors, connectorsOf } from '../pipes/run-check.ts';

/** The kinds of source that this program reads. */
export function pipeConnectors(): Connectors {
  return connectorsOf([]);
}
