import { gzipSync } from 'node:zlib';
import { request } from 'undici';
import { logRequest } from '../ingest/otlp-requests.ts';
import { ingestionKey, type Program } from '../program.ts';

const recordsPerRequest = 1_000;
const requestEveryMs = 100;
/** More than are sent while the charts beside them run: a request that is sent again is stored only once. */
const requests = 600;

interface Target {
  sourceId: string;
  endMs: number;
}

/** A scan that restarts whenever it ends, and a steady stream of records. */
export class Disturbance {
  readonly #program: Program;
  readonly #target: Target;
  readonly #bodies: readonly Buffer[];
  #stopped = false;
  #work: Promise<unknown> = Promise.resolve();

  private constructor(program: Program, target: Target) {
    this.#program = program;
    this.#target = target;
    this.#bodies = Array.from({ length: requests }, (_, index) => bodyOf(index));
  }

  static start(program: Program, target: Target): Disturbance {
    const disturbance = new Disturbance(program, target);
    disturbance.#work = Promise.all([disturbance.#scan(), disturbance.#ingest()]);
    return disturbance;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#work;
  }

  async #scan(): Promise<void> {
    const { sourceId, endMs } = this.#target;
    for (let turn = 0; !this.#stopped; turn++) {
      const series = {
        sourceId,
        aggFn: 'quantile',
        level: 0.95,
        field: 'LogAttributes.http.duration_ms',
        where: `*e* NOT ServiceName:"none ${turn} ${performance.now()}"`,
        groupBy: ["LogAttributes['user.id']"],
      };
      const body = { startTime: endMs - 7 * 86_400_000, endTime: endMs, granularity: '1d', series: [series] };
      await this.#program.call('POST', '/api/v2/charts/series', body);
    }
  }

  async #ingest(): Promise<void> {
    const headers = {
      authorization: ingestionKey,
      'content-type': 'application/x-protobuf',
      'content-encoding': 'gzip',
    };
    for (let sent = 0; !this.#stopped; sent++) {
      const startedMs = performance.now();
      const body = this.#bodies[sent % this.#bodies.length] ?? Buffer.alloc(0);
      const answer = await request(`${this.#program.addresses.otlpHttp}/v1/logs`, { method: 'POST', headers, body });
      await answer.body.dump();
      if (![200, 429, 503].includes(answer.statusCode)) throw new Error(`/v1/logs: ${answer.statusCode}`);
      const leftMs = requestEveryMs - (performance.now() - startedMs);
      if (leftMs > 0) await new Promise((done) => setTimeout(done, leftMs));
    }
  }
}

function bodyOf(index: number): Buffer {
  const first = index * recordsPerRequest;
  return gzipSync(logRequest({ records: recordsPerRequest, first, pod: index % 20, startMs: Date.now() }));
}
