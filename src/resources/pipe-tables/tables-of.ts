import type { Pipe } from '../../contract/pipe.ts';
import type { PipeFields } from '../pipes/pipe.ts';

/** The tables that a pipe writes, each once, in the order of its record; none when the record names none. */
export function tablesOf(fields: PipeFields): string[] {
  // What was written has been checked by PipeInputSchema.
  const { source, destination } = fields as Pick<Pipe, 'source' | 'destination'>;
  const mapped = source?.postgres?.tableMappings?.flatMap(({ targetTable }) => targetTable ?? []) ?? [];
  return [...new Set(destination?.table === undefined ? mapped : [destination.table, ...mapped])];
}
