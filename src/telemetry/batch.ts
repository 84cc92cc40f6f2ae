import { digestOf } from '../kernel/digest.ts';
import type { EncodedBlock, TelemetryError, TelemetryTable } from './ports.ts';

/** The blocks of one table that came with one request. */
export interface Portion {
  /** The same for the same blocks into the same table, however often they come. */
  key: string;
  digest: string;
  blocks: Uint8Array[];
  rows: number;
  bytes: number;
  addedMs: number;
  /** Who is to hear how it ends: its sender, and again its sender if it did not get the answer. */
  waiting: { resolve: () => void; reject: (reason: TelemetryError) => void }[];
}

/** What one insert writes, and writes again as it was if its outcome is unknown. */
export interface Batch {
  database: string;
  table: TelemetryTable;
  portions: readonly Portion[];
  /** From the content of the portions, so that another process that writes the same portions uses the same. */
  token: string;
  /** An attempt ended without an answer: its rows may be in the store, or still get there. */
  isInDoubt: boolean;
}

type Target = Pick<Batch, 'database' | 'table'>;

/** `uniqueId` stands for blocks without a digest: no other request is the same. */
export function portionOf(target: Target, blocks: readonly EncodedBlock[], addedMs: number, uniqueId: string): Portion {
  const [first, ...more] = blocks.map((block) => block.digest ?? uniqueId);
  const digest = more.length === 0 ? String(first) : digestOf([first, ...more].join());
  return {
    key: portionKey(target, digest),
    digest,
    blocks: blocks.map(({ bytes }) => bytes),
    rows: blocks.reduce((sum, { rows }) => sum + rows, 0),
    bytes: blocks.reduce((sum, { bytes }) => sum + bytes.byteLength, 0),
    addedMs,
    waiting: [],
  };
}

export function portionKey({ database, table }: Target, digest: string): string {
  return `${database}.${table} ${digest}`;
}

export function batchOf({ database, table }: Target, portions: readonly Portion[]): Batch {
  const digests = portions.map(({ digest }) => digest);
  const token = digests.length === 1 ? String(digests[0]) : digestOf(digests.toSorted().join());
  return { database, table, portions, token, isInDoubt: false };
}

export function bytesOf({ portions }: Pick<Batch, 'portions'>): number {
  return portions.reduce((sum, { bytes }) => sum + bytes, 0);
}

export function reject({ portions }: Batch, reason: TelemetryError): void {
  for (const portion of portions) for (const each of portion.waiting.splice(0)) each.reject(reason);
}

export function resolve({ portions }: Batch): void {
  for (const portion of portions) for (const each of portion.waiting.splice(0)) each.resolve();
}
