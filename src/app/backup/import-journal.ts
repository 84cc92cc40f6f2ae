import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The parts of a backup that a server has: an interrupted import continues behind them, a repeated one adds nothing. */
export class ImportJournal {
  readonly #file: string;
  readonly #done: Set<string>;

  private constructor(file: string, done: Set<string>) {
    this.#file = file;
    this.#done = done;
  }

  static async open(dataFolder: string, backupId: string): Promise<ImportJournal> {
    const file = join(dataFolder, `imported-${backupId}.txt`);
    const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
    // A line without its end was not written completely.
    const lines = text?.split('\n').slice(0, -1);
    return new ImportJournal(file, new Set(lines));
  }

  /** Whether this backup has been imported before, wholly or in part. */
  get isBegun(): boolean {
    return this.#done.size > 0;
  }

  has(part: string): boolean {
    return this.#done.has(part);
  }

  async add(part: string): Promise<void> {
    const file = await open(this.#file, 'a', 0o600);
    try {
      await file.writeFile(`${part}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    this.#done.add(part);
  }
}
