import { randomBytes } from 'node:crypto';
import { ingestionKey } from '../../bench/program.ts';

export type Signal = 'logs' | 'traces' | 'metrics';
const signals: readonly Signal[] = ['logs', 'logs', 'traces', 'metrics'];
/** Most requests are small; some are as large as a Collector's. */
const mixed: Load = { sizes: [20, 20, 20, 300, 20, 20, 20, 5_000], senders: 6, pauseMs: 300 };
const answerTimeoutMs = 10_000;
const retryPauseMs = 1_000;
const giveUpMs = 360_000;

/** How many records a request has, how many senders there are, and how long each of them waits in between. */
export interface Load {
  sizes: readonly number[];
  senders: number;
  pauseMs: number;
}

export interface Sent {
  signal: Signal;
  records: number;
  phase: string;
  attempts: number;
  /** From the first attempt to the acknowledgement; `undefined` without one. */
  answeredMs: number | undefined;
}

/** Sends batches as OpenTelemetry's exporters do: the same bytes again until they are acknowledged. */
export class Exporter {
  readonly batches = new Map<string, Sent>();
  readonly #origin: () => string;
  readonly #load: Load;
  readonly #runId = randomBytes(4).toString('hex');
  #phase: string | undefined;
  #running: Promise<unknown> = Promise.resolve();

  constructor(origin: () => string, load = mixed) {
    this.#origin = origin;
    this.#load = load;
  }

  start(phase: string): void {
    this.#phase = phase;
    this.#running = Promise.all(Array.from({ length: this.#load.senders }, () => this.#sendUntilStopped()));
  }

  /** Resolves when every batch has been acknowledged or given up. */
  async stop(): Promise<void> {
    this.#phase = undefined;
    await this.#running;
  }

  async #sendUntilStopped(): Promise<void> {
    for (let phase = this.#phase; phase !== undefined; phase = this.#phase) {
      const { sizes, pauseMs } = this.#load;
      const number = this.batches.size;
      const signal = signals[number % signals.length] ?? 'logs';
      const records = sizes[Math.floor(number / signals.length) % sizes.length] ?? 1;
      const batch = `${this.#runId}-${number}`;
      const sent: Sent = { signal, records, phase, attempts: 0, answeredMs: undefined };
      this.batches.set(batch, sent);
      await this.#sendUntilAcknowledged(sent, JSON.stringify(payloadOf(signal, phase, batch, records)));
      await pause(pauseMs);
    }
  }

  async #sendUntilAcknowledged(sent: Sent, body: string): Promise<void> {
    const startedMs = Date.now();
    while (Date.now() - startedMs < giveUpMs) {
      sent.attempts += 1;
      if (await this.#isAcknowledged(sent.signal, body)) {
        sent.answeredMs = Date.now() - startedMs;
        return;
      }
      await pause(retryPauseMs);
    }
  }

  async #isAcknowledged(signal: Signal, body: string): Promise<boolean> {
    const headers = { authorization: ingestionKey, 'content-type': 'application/json' };
    const signalToEnd = AbortSignal.timeout(answerTimeoutMs);
    try {
      const answer = await fetch(`${this.#origin()}/v1/${signal}`, {
        method: 'POST',
        headers,
        body,
        signal: signalToEnd,
      });
      const text = await answer.text();
      if (answer.status === 200 && text.includes('rejected')) throw new RangeError(text);
      return answer.status === 200;
    } catch (error) {
      if (error instanceof RangeError) throw error;
      return false;
    }
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}

const text = (key: string, stringValue: string) => ({ key, value: { stringValue } });

function payloadOf(signal: Signal, phase: string, batch: string, records: number): object {
  const resource = { attributes: [text('service.name', phase)] };
  const attributes = [text('batch', batch)];
  const time = `${BigInt(Date.now()) * 1_000_000n}`;
  const many = <T>(one: (index: number) => T): T[] => Array.from({ length: records }, (_, index) => one(index));
  if (signal === 'logs') {
    const logRecords = many((index) => ({
      ...{ timeUnixNano: `${BigInt(time) + BigInt(index)}`, body: { stringValue: `${batch} ${index}` }, attributes },
    }));
    return { resourceLogs: [{ resource, scopeLogs: [{ logRecords }] }] };
  }
  if (signal === 'traces') {
    const hex = Buffer.from(batch).toString('hex').padStart(24, '0').slice(-24);
    const spans = many((index) => ({
      ...{ traceId: hex + index.toString(16).padStart(8, '0'), spanId: (index + 1).toString(16).padStart(16, '0') },
      ...{ name: 'work', startTimeUnixNano: time, endTimeUnixNano: time, attributes },
    }));
    return { resourceSpans: [{ resource, scopeSpans: [{ spans }] }] };
  }
  const dataPoints = many((index) => ({
    ...{ timeUnixNano: time, startTimeUnixNano: time, asInt: '1' },
    attributes: [...attributes, text('index', `${index}`)],
  }));
  const sum = { aggregationTemporality: 1, isMonotonic: true, dataPoints };
  return { resourceMetrics: [{ resource, scopeMetrics: [{ metrics: [{ name: 'work', sum }] }] }] };
}
