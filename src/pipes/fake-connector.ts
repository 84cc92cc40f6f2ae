import type { PipeInput } from '../contract/pipe-input.ts';
import type { Problem } from '../contract/problem.ts';
import type { PipeDefinition } from './pipe-definition.ts';
import type { Connector, Lane, OpenSource, SourceBatch, SourceJob } from './source-port.ts';

/** A source in memory whose lines a test appends; each batch is one line, in one lane. */
export class FakeConnector implements Connector {
  readonly kind = 'objectStorage';
  readonly lines: string[] = [];
  /** Thrown by the next connections while it is set. */
  openError: Error | undefined;
  /** Thrown beside the lane while it is set. */
  lanesError: Error | undefined;
  readonly acknowledged: string[] = [];
  /** Pipes whose objects at the source were removed. */
  readonly removed: PipeDefinition[] = [];
  removeError: Error | undefined;
  opened = 0;
  closed = 0;
  /** Lanes that were still read when a connection was closed. */
  readWhenClosed = 0;
  #reading = 0;
  isContinuous = true;
  #wake: () => void = () => {};

  problemsOf(_pipe: PipeInput): readonly Problem[] {
    return [];
  }

  async names(_pipe: PipeDefinition, { max }: { max: number }): Promise<readonly string[]> {
    if (this.openError) throw this.openError;
    return this.lines.slice(0, max);
  }

  async remove(pipe: PipeDefinition): Promise<void> {
    if (this.removeError) throw this.removeError;
    this.removed.push(pipe);
  }

  append(...lines: string[]): void {
    this.lines.push(...lines);
    this.#wake();
  }

  async open(job: SourceJob): Promise<OpenSource> {
    this.opened++;
    if (this.openError) throw this.openError;
    return {
      phase: 'stream',
      lanes: () => this.#lanes(job),
      acknowledge: async ({ identity }) => void this.acknowledged.push(identity),
      close: async () => {
        this.closed++;
        this.readWhenClosed += this.#reading;
      },
    };
  }

  async *#lanes(job: SourceJob): AsyncGenerator<Lane> {
    yield this.#counted(job);
    if (this.lanesError) throw this.lanesError;
  }

  async *#counted(job: SourceJob): AsyncGenerator<SourceBatch> {
    this.#reading++;
    try {
      yield* this.#batches(job);
    } finally {
      this.#reading--;
    }
  }

  async *#batches({ pipe, ledger, onLag, signal }: SourceJob): AsyncGenerator<SourceBatch> {
    let at = Number((await ledger.find(pipe.id, ['line'])).get('line') ?? 0);
    while (!signal.aborted) {
      const line = this.lines[at];
      if (line !== undefined) yield batchOf(line, at++);
      else if (!this.isContinuous) return;
      else {
        onLag(0);
        await this.#appended(signal);
      }
    }
  }

  #appended(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }
}

function batchOf(line: string, at: number): SourceBatch {
  return {
    identity: `line ${at}`,
    positions: [{ key: 'line', position: String(at + 1) }],
    format: 'JSONEachRow',
    body: [Buffer.from(`${line}\n`)],
    positionOf: () => `line ${at}`,
    sourceBytes: line.length + 1,
    phase: 'stream',
  };
}
