import { TaskStoppedError, type Workers, WorkersBusyError } from '../kernel/workers.ts';
import { SinkFullError } from '../telemetry/ports.ts';
import type { DecodedRequest } from './decode/decoded-request.ts';
import {
  asBuffer,
  type DecodeOrder,
  type DecompressOrder,
  decodeExportTask,
  decompressTask,
  movable,
  type Outcome,
  resultOf,
} from './decode-tasks.ts';
import { PayloadTooLargeError } from './intake-errors.ts';

/**
 * Smaller payloads are decoded where they arrive. Whatever they hold, that takes some 30 ms at most, and a thread would
 * cost more than it saves.
 */
const inlineBytesMax = 64 << 10;

/** Decodes and decompresses what senders bring, large payloads in other threads, tenants taking turns. */
export class PayloadWork {
  readonly #workers: Workers;

  constructor(workers: Workers) {
    this.#workers = workers;
  }

  /** Throws as `decodeExport`, and `SinkFullError` when too much waits for a thread. */
  async decode(tenantId: string, order: DecodeOrder): Promise<DecodedRequest> {
    if (order.payload.length <= inlineBytesMax) return resultOf(await decodeExportTask.run(order));
    const moved = movable([order.payload]);
    return resultOf(await this.#away(() => this.#workers.run(decodeExportTask, order, { tenantId, moved })));
  }

  /** Throws as `decompressPlain`, and `SinkFullError`. */
  async decompress(tenantId: string, order: DecompressOrder): Promise<Buffer> {
    const moved = movable([order.bytes]);
    return asBuffer(resultOf(await this.#away(() => this.#workers.run(decompressTask, order, { tenantId, moved }))));
  }

  async #away<Value>(run: () => Promise<Outcome<Value>>): Promise<Outcome<Value>> {
    try {
      return await run();
    } catch (error) {
      if (error instanceof WorkersBusyError) throw new SinkFullError();
      if (error instanceof TaskStoppedError && error.reason === 'memory') {
        throw new PayloadTooLargeError('the request needs more memory than one request may have');
      }
      throw error;
    }
  }
}
