import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What of a backup a server has, parts and pieces of them: an interrupted import continues behind, a repeated one adds nothing. */
export class ImportJournal {
  readonly #file: string;
  readonly #done: Set<string>;
  /** Whether this backup has been imported before, wholly or in part: then its rows may be in the tables. */
  readonly isBegun: boolean;

  private constructor(file: string, done: Set<string> | undefined) {
    this.#file = file;
    this.#done = done ?? new Set();
    this.isBegun = done !== undefined;
  }

  static async open(dataFolder: string, backupId: string): Promise<ImportJournal> {
    const file = join(dataFolder, `imported-${backupId}.txt`);
    const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
    // A line without its end was not written completely.
    const lines = text?.split('\n').slice(0, -1);
    return new ImportJournal(file, lines && new Set(lines));
  }

  /** Before the first row is inserted. */
  begin(): Promise<void> {
    return this.#append('');
  }

  has(name: string): boolean {
    return this.#done.has(name);
  }

  async add(name: string): Promise<void> {
    await this.#append(`${name}\n`);
    this.#done.add(name);
  }

  async #append(text: string): Promise<void> {
    const file = await open(this.#file, 'a', 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
  }
}
