import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Batch, batchOf, type Portion, portionKey } from './batch.ts';
import type { TelemetryTable } from './ports.ts';

/** Batches of several requests while they are being written, for the process that comes after a crash. */
export interface BatchJournal {
  /** Never rejects: what cannot be noted is only not recognised after a crash. */
  begin(batch: Batch): Promise<void>;
  end(batch: Batch): Promise<void>;
}

/** The first line of a file; the blocks follow. */
interface Heading {
  database: string;
  table: TelemetryTable;
  portions: { digest: string; rows: number; blockBytes: number[] }[];
}

/**
 * A file for each batch in a folder that belongs to this process alone. It survives the process, not a power failure:
 * then the insert is unlikely to have survived either, and its sender has had no answer.
 */
export class FolderBatchJournal implements BatchJournal {
  readonly #folder: string;

  constructor(folder: string) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.#folder = folder;
  }

  /** What the last process was writing when it ended; it may be stored or not. */
  left(nowMs: number): Batch[] {
    return readdirSync(this.#folder).flatMap((name) => {
      const file = join(this.#folder, name);
      const batch = parseBatch(readFileSync(file), nowMs);
      // Cut off: its insert had not begun.
      if (batch?.token !== name) rmSync(file, { force: true });
      return batch?.token === name ? [batch] : [];
    });
  }

  async begin(batch: Batch): Promise<void> {
    const { database, table, portions } = batch;
    const parts = portions.map(({ digest, rows, blocks }) => {
      return { digest, rows, blockBytes: blocks.map(({ byteLength }) => byteLength) };
    });
    const heading: Heading = { database, table, portions: parts };
    const blocks = portions.flatMap((portion) => portion.blocks);
    try {
      const file = await open(join(this.#folder, batch.token), 'w', 0o600);
      await file.writev([Buffer.from(`${JSON.stringify(heading)}\n`), ...blocks]).finally(() => file.close());
    } catch {
      // A full disk shows in the insert too.
    }
  }

  async end({ token }: Batch): Promise<void> {
    await rm(join(this.#folder, token), { force: true }).catch(() => undefined);
  }
}

/** `undefined` for what is not whole. */
function parseBatch(bytes: Buffer, nowMs: number): Batch | undefined {
  const end = bytes.indexOf('\n');
  if (end < 0) return undefined;
  // We wrote it; a file that is not whole is found by its length.
  const { database, table, portions } = JSON.parse(bytes.toString('utf8', 0, end)) as Heading;
  let at = end + 1;
  const parsed = portions.map(({ digest, rows, blockBytes }): Portion => {
    const startedAt = at;
    const blocks = blockBytes.map((length) => {
      at += length;
      return bytes.subarray(at - length, at);
    });
    const key = portionKey({ database, table }, digest);
    return { key, digest, blocks, rows, bytes: at - startedAt, addedMs: nowMs, waiting: [] };
  });
  return at === bytes.length ? { ...batchOf({ database, table }, parsed), isInDoubt: true } : undefined;
}
