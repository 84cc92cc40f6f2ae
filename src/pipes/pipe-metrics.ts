import type { BatchProgress } from './pipe-ledger.ts';

/** Port: what the process counts about the pipes that it runs. */
export interface PipeMetrics {
  written(pipeId: string, batch: BatchProgress): void;
  lagged(pipeId: string, lagMs: number, lagRecords?: number): void;
  /** Bytes that the source keeps because the pipe has not read them. */
  laggedBytes(pipeId: string, bytes: number): void;
  /** The process no longer runs the pipe. */
  left(pipeId: string): void;
}

export const noPipeMetrics: PipeMetrics = {
  written: () => {},
  lagged: () => {},
  laggedBytes: () => {},
  left: () => {},
};
