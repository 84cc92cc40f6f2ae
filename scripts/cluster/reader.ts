import { type Program, sourceIdsOf } from '../../bench/program.ts';
import { pause, type Sent } from './exporter.ts';

export interface Reads {
  right: number;
  /** Answers that said that they are not whole, or were errors. */
  errors: number;
  /** Answers with another number than was acknowledged, given as if they were whole. */
  wrong: number;
}

const everyMs = 500;
const hourMs = 3_600_000;

/** Reads over and over how many logs of former phases there are, which is known. */
export class Reader {
  readonly #program: Program;
  readonly #startedMs = Date.now();
  #reads: Reads = { right: 0, errors: 0, wrong: 0 };
  #expected = 0;
  #isRunning = false;
  #running: Promise<void> = Promise.resolve();

  constructor(program: Program) {
    this.#program = program;
  }

  start(former: readonly Sent[], phases: readonly string[]): void {
    const logs = former.filter(({ signal }) => signal === 'logs');
    this.#expected = logs.reduce((sum, { records }) => sum + records, 0);
    this.#reads = { right: 0, errors: 0, wrong: 0 };
    this.#isRunning = true;
    this.#running = this.#readUntilStopped(phases);
  }

  async stop(): Promise<Reads> {
    this.#isRunning = false;
    await this.#running;
    return this.#reads;
  }

  async #readUntilStopped(phases: readonly string[]): Promise<void> {
    const sourceId = (await sourceIdsOf(this.#program)).get('log');
    const where = phases.map((phase) => `ServiceName:"${phase}"`).join(' OR ');
    const series = [{ sourceId, aggFn: 'count', where, whereLanguage: 'lucene', groupBy: [] }];
    for (; this.#isRunning; await pause(everyMs)) {
      const range = { startTime: this.#startedMs - hourMs, endTime: Date.now() + hourMs, granularity: '1d' };
      const found = await this.#read({ ...range, series });
      if (found === undefined) this.#reads.errors += 1;
      else if (found === this.#expected) this.#reads.right += 1;
      else {
        this.#reads.wrong += 1;
        console.log(`a chart shows ${found} of ${this.#expected} logs`);
      }
    }
  }

  async #read(body: object): Promise<number | undefined> {
    try {
      const { data, meta } = (await this.#program.call('POST', '/api/v2/charts/series', body)) as Answer;
      if (meta.warnings !== undefined && meta.warnings.length > 0) return undefined;
      return data.reduce((sum, row) => sum + row['series_0.data'], 0);
    } catch {
      return undefined;
    }
  }
}

interface Answer {
  data: { 'series_0.data': number }[];
  meta: { warnings?: unknown[] };
}
