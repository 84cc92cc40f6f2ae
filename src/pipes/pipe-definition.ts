import type { PipeInput } from '../contract/pipe-input.ts';

type Source = NonNullable<PipeInput['source']>;

export type SourceKind = keyof Source;

/** A pipe as the process that runs it sees it: the record with its secrets opened. Never logged or stored. */
export interface PipeDefinition extends PipeInput {
  id: string;
  serviceId: string;
  /** Grows with each resync, after which the same rows are new ones. */
  generation: number;
}

/** The kinds of source that a pipe names, in the order of the contract. */
export function sourceKindsOf({ source }: Pick<PipeInput, 'source'>): SourceKind[] {
  return (['kafka', 'kinesis', 'objectStorage', 'postgres'] as const).filter((kind) => source?.[kind] !== undefined);
}
