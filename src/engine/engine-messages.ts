/** What the parent hands its engine child when it starts it. */
export interface EngineChildOptions {
  /** Folder of the engine's data; made when missing. One process at a time may own it. */
  dataDir: string;
  /** Every request must carry it as `X-ClickHouse-Key`. */
  secret: string;
  /** All queries together; passing it fails the query, not the process. */
  memoryBytesMax: number;
  /** Statements that run at the same time; more wait in line. */
  concurrencyMax: number;
  /** Parts are flushed to the disk before an insert is acknowledged: survives a power loss (decisions E3). */
  fsync: boolean;
  /** The child ends itself when parsing a statement takes longer; 20 s when absent. */
  parseMsMax?: number;
}

export interface EngineUsage {
  rssBytes: number;
  /** User and system time of the child since it was started. */
  cpuMs: number;
}

export type ParentMessage =
  | { kind: 'start'; options: EngineChildOptions }
  | { kind: 'usage' }
  /** Finish what runs, close the engine, exit. */
  | { kind: 'stop' };

export type ChildMessage =
  | { kind: 'ready'; port: number }
  | { kind: 'failed'; message: string }
  | { kind: 'usage'; usage: EngineUsage };
