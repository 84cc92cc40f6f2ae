import type { PipeInput } from '../../src/contract/pipe-input.ts';
import type { Connector, OpenSource, SourceBatch, SourceJob } from '../../src/pipes/source-port.ts';

export interface SourceRunOptions {
  settings?: PipeInput['settings'];
  columns?: readonly string[];
  lanes?: number;
  batchBytesMax?: number;
}

/** A pipe of one source without a store: rows of each identity once, as a table with tokens keeps them. */
export class SourceRun {
  readonly ledger = new Map<string, string>();
  readonly rows = new Map<string, string[]>();
  readonly unreadable = new Map<string, { position: string; reason: string; record: string }>();
  readonly positions: string[] = [];
  lagMs: number | undefined;
  lagRecords: number | undefined;
  /** Each batch with rows, in the order in which they were first written. */
  readonly batches: SourceBatch[] = [];
  readonly #connector: Connector;
  readonly #source: NonNullable<PipeInput['source']>;
  readonly #options: SourceRunOptions;

  constructor(connector: Connector, source: NonNullable<PipeInput['source']>, options: SourceRunOptions = {}) {
    this.#connector = connector;
    this.#source = source;
    this.#options = options;
  }

  /** All lines that are stored, sorted. */
  get lines(): string[] {
    return [...this.rows.values()].flat().toSorted();
  }

  /** Ends the run that is reading. */
  stop: () => void = () => {};

  /** Reads until `isDone`. A run that dies after some batches neither writes nor remembers anything from then on. */
  async read(isDone: () => boolean, death = Number.POSITIVE_INFINITY): Promise<void> {
    const abort = new AbortController();
    this.stop = () => abort.abort();
    const source = await this.#connector.open(this.#job(abort, isDone));
    const life = { left: death };
    try {
      const lanes: Promise<void>[] = [];
      for await (const lane of source.lanes()) {
        const reading = this.#readLane({ lane, source, abort, isDone, life });
        reading.catch(() => abort.abort());
        lanes.push(reading);
      }
      await Promise.all(lanes);
    } finally {
      await source.close();
    }
  }

  #job(abort: AbortController, isDone: () => boolean): SourceJob {
    const { settings, columns = ['id'], lanes = 1, batchBytesMax = 1 << 20 } = this.#options;
    const { ledger } = this;
    return {
      pipe: {
        id: '11111111-2222-4333-8444-555555555555',
        serviceId: 'service',
        name: 'orders',
        generation: 0,
        source: this.#source,
        settings: { streaming_max_insert_wait_ms: 10, ...settings },
        destination: { table: 't', columns: columns.map((name) => ({ name, type: 'String' })) },
      },
      limits: { lanes, batchBytesMax },
      ledger: {
        find: async (_, keys) => new Map([...ledger].filter(([key]) => keys.includes(key))),
        list: async (_, prefix) =>
          [...ledger]
            .filter(([key]) => key.startsWith(prefix))
            .toSorted(([a], [b]) => (a < b ? -1 : 1))
            .map(([key, position]) => ({ key, position })),
      },
      plan: async (entries) => this.#remember(entries),
      onLagBytes: () => {},
      onLag: (lagMs, records) => {
        this.lagMs = lagMs;
        this.lagRecords = records;
        if (lagMs === 0 && isDone()) abort.abort();
      },
      signal: abort.signal,
    };
  }

  async #readLane({ lane, source, abort, isDone, life }: LaneRun): Promise<void> {
    for await (const batch of lane) {
      if (life.left-- <= 0) return abort.abort();
      this.#write(batch);
      // Between the rows and the ledger.
      if (life.left === 0) return abort.abort();
      this.#remember(batch.positions);
      if (batch.lagMs !== undefined) this.lagMs = batch.lagMs;
      await source.acknowledge?.(batch);
      if (isDone()) return abort.abort();
    }
  }

  #write(batch: SourceBatch): void {
    const lines = Buffer.concat(batch.body).toString().split('\n').slice(0, -1);
    if (!this.rows.has(batch.identity)) {
      this.rows.set(batch.identity, lines);
      this.batches.push(batch);
    }
    for (const [index] of lines.entries()) this.positions.push(batch.positionOf(index));
    for (const record of batch.unreadable ?? []) this.unreadable.set(record.position, record);
  }

  #remember(entries: readonly { key: string; position: string | undefined }[]): void {
    for (const { key, position } of entries) {
      if (position === undefined) this.ledger.delete(key);
      else this.ledger.set(key, position);
    }
  }
}

interface LaneRun {
  lane: AsyncIterable<SourceBatch>;
  source: OpenSource;
  abort: AbortController;
  isDone: () => boolean;
  life: { left: number };
}
