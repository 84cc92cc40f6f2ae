import { AppError } from '../../contract/errors.ts';
import { TaskStoppedError, type Workers, WorkersBusyError } from '../../kernel/workers.ts';
import { readJson } from './read-json.ts';
import { readJsonTask } from './read-json-task.ts';

/** Larger bodies are read in another thread: five megabytes of numbers hold up a loop for a tenth of a second. */
export const readHereBytesMax = 256 * 1024;

/** Reads bodies; large ones away from the event loop, tenants taking turns. */
export class JsonReader {
  readonly #workers: Workers;

  constructor(workers: Workers) {
    this.#workers = workers;
  }

  /** @throws {AppError} as `readJson`, and `overloaded` when too many large bodies wait */
  async read(bytes: Buffer, tenantId: string): Promise<unknown> {
    if (bytes.length <= readHereBytesMax) return readJson(bytes);
    const outcome = await this.#readAway(bytes, tenantId);
    if (outcome.kind === 'value') return outcome.value;
    throw new AppError('json_invalid', { public: outcome.message });
  }

  async #readAway(bytes: Buffer, tenantId: string) {
    try {
      return await this.#workers.run(readJsonTask, bytes, { tenantId });
    } catch (error) {
      if (error instanceof WorkersBusyError || error instanceof TaskStoppedError) {
        throw new AppError('overloaded', { retryAfterSeconds: 1, cause: error });
      }
      throw error;
    }
  }
}
