import { type Clock, delay } from '../../kernel/clock.ts';
import { type BlockInserter, TelemetryError } from '../../telemetry/ports.ts';

const tries = 8;
const firstWaitMs = 500;

/** Sends a block again, with the same token, while the server is away or busy. */
export class PatientInserter implements BlockInserter {
  readonly #inserter: BlockInserter;
  readonly #clock: Clock;

  constructor(inserter: BlockInserter, clock: Clock) {
    this.#inserter = inserter;
    this.#clock = clock;
  }

  async insert(batch: Parameters<BlockInserter['insert']>[0]): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#inserter.insert(batch);
      } catch (error) {
        const isPassing = error instanceof TelemetryError && (error.kind === 'unavailable' || error.kind === 'timeout');
        if (!isPassing || attempt === tries) throw error;
        await delay(this.#clock, firstWaitMs * 2 ** attempt);
      }
    }
  }
}
