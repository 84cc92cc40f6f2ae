import { randomIds } from '../../src/kernel/ids.ts';
import type { Source } from '../../src/resources/sources/source.ts';

export interface SourceParts {
  id?: string;
  name?: string;
  connection?: string;
  section?: string;
  timestampValueExpression?: string;
}

/** A source record of the simplest kind. */
export function sourceOf(parts: SourceParts = {}): Source {
  return {
    id: randomIds.hex24(),
    kind: 'session',
    name: 'Sessions',
    connection: randomIds.hex24(),
    from: { databaseName: 'otel', tableName: 'hyperdx_sessions' },
    timestampValueExpression: 'TimestampTime',
    traceSourceId: randomIds.hex24(),
    disabled: false,
    querySettings: [],
    ...parts,
  };
}
