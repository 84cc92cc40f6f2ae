import type { PipeRun } from './pipe-run.ts';

/** What a pipe is besides its identity: checked when it was written, with the mask in place of every secret. */
export interface PipeFields {
  name: string;
  /** One of the known states or another (decisions P3). */
  state: string;
  /** Further fields of `PipeInputSchema`, as given: order kept, absent stays absent (decisions P1). */
  [field: string]: unknown;
}

/** A pipe as stored, within one service. Secrets are sealed before they reach the repository. */
export interface StoredPipe {
  /** Lower-case UUID, unique over all services. */
  id: string;
  createdAt: string;
  updatedAt: string;
  fields: PipeFields;
  /** Sealed JSON of `PipeSecrets`. */
  sealedSecrets?: string;
  /** Absent until it was run or commanded; read beside the record, never written with it. */
  run?: PipeRun;
}

/** Secret values by the dotted path of their mask, for instance `source.kafka.credentials`. */
export type PipeSecrets = Record<string, unknown>;
