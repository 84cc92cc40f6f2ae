import { ingestionKey, type Program } from '../../bench/program.ts';

export const recordsPerBatch = 20;
const requestTimeoutMs = 30_000;
export type Signal = 'logs' | 'traces' | 'metrics';
const signals: readonly Signal[] = ['logs', 'traces', 'metrics'];

/** The outcome of each batch that was sent: acknowledged or unknown. */
export class Sender {
  readonly acknowledged: Record<Signal, Set<string>> = { logs: new Set(), traces: new Set(), metrics: new Set() };
  readonly sent: Record<Signal, number> = { logs: 0, traces: 0, metrics: 0 };
  /** Answers by status; 0 = none came. */
  readonly answers = new Map<number, number>();
  readonly #program: Program;

  constructor(program: Program) {
    this.#program = program;
  }

  /** One batch, sent once: a second try of one whose answer was lost could double it, and that would be ours. */
  async sendOne(): Promise<void> {
    const signal = signals[this.total % signals.length] ?? 'logs';
    const batch = `b${this.sent[signal]++}`;
    const status = await this.#post(signal, payloadOf(signal, batch));
    this.answers.set(status, (this.answers.get(status) ?? 0) + 1);
    if (status === 200) this.acknowledged[signal].add(batch);
  }

  /** Logs that the alerts count. */
  async toggle(): Promise<void> {
    const log = { timeUnixNano: nowNano(), body: { stringValue: 'toggle' } };
    await this.#post('logs', {
      resourceLogs: [{ resource: service('toggle'), scopeLogs: [{ logRecords: [log, log] }] }],
    });
  }

  get total(): number {
    return this.sent.logs + this.sent.traces + this.sent.metrics;
  }

  async #post(signal: Signal, payload: object): Promise<number> {
    try {
      const answer = await fetch(`${this.#program.addresses.otlpHttp}/v1/${signal}`, {
        method: 'POST',
        headers: { authorization: ingestionKey, 'content-type': 'application/json' },
        body: JSON.stringify(payload),
        signal: AbortSignal.timeout(requestTimeoutMs),
      });
      await answer.text();
      return answer.status;
    } catch {
      return 0;
    }
  }
}

const nowNano = () => `${BigInt(Date.now()) * 1_000_000n}`;
const text = (key: string, stringValue: string) => ({ key, value: { stringValue } });
const service = (name: string) => ({ attributes: [text('service.name', name)] });
const many = <T>(one: (index: number) => T): T[] => Array.from({ length: recordsPerBatch }, (_, index) => one(index));

function payloadOf(signal: Signal, batch: string): object {
  const resource = service('soak');
  const attributes = [text('batch', batch)];
  const time = nowNano();
  if (signal === 'logs') {
    const logRecords = many((index) => ({
      timeUnixNano: time,
      body: { stringValue: `${batch} ${index}` },
      attributes,
    }));
    return { resourceLogs: [{ resource, scopeLogs: [{ logRecords }] }] };
  }
  if (signal === 'traces') {
    const number = Number(batch.slice(1)) * recordsPerBatch + 1;
    const spans = many((index) => ({
      ...{
        traceId: (number + index).toString(16).padStart(32, '0'),
        spanId: (number + index).toString(16).padStart(16, '0'),
      },
      ...{ name: 'soak', startTimeUnixNano: time, endTimeUnixNano: time, attributes },
    }));
    return { resourceSpans: [{ resource, scopeSpans: [{ spans }] }] };
  }
  const dataPoints = many((index) => ({
    ...{ timeUnixNano: time, startTimeUnixNano: time, asInt: '1' },
    attributes: [...attributes, text('index', `${index}`)],
  }));
  const sum = { aggregationTemporality: 1, isMonotonic: true, dataPoints };
  return { resourceMetrics: [{ resource, scopeMetrics: [{ metrics: [{ name: 'soak', sum }] }] }] };
}
