import type { PipeDestination, PreparedTarget, WrittenBatch } from './destination-port.ts';
import type { SourceBatch } from './source-port.ts';
import type { TargetTable } from './target-table.ts';

/** Tables in memory that store what comes with a token once. */
export class FakeDestination implements PipeDestination {
  readonly texts: string[] = [];
  readonly tokens = new Set<string>();
  /** Thrown by every write while it is set. */
  writeError: Error | undefined;
  prepareError: Error | undefined;
  /** What happens while a batch is being written. */
  meanwhile: () => Promise<void> = async () => {};

  async prepare(_target: TargetTable): Promise<PreparedTarget> {
    if (this.prepareError) throw this.prepareError;
    return { write: (batch, { token }) => this.#write(batch, token) };
  }

  async #write(batch: SourceBatch, token: string): Promise<WrittenBatch> {
    if (this.writeError) throw this.writeError;
    if (!this.tokens.has(token)) this.texts.push(Buffer.concat(batch.body).toString().trimEnd());
    this.tokens.add(token);
    await this.meanwhile();
    return { rows: 1, errors: 0 };
  }
}
