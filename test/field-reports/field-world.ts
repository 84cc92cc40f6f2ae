import { expect } from 'vitest';
import { ingestionKey, type RunningProgram } from '../support/start-program.ts';

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
/** A full hour that no retention has reached and that nothing of today falls into. */
export const t0 = Math.floor(Date.now() / hourMs) * hourMs - 5 * hourMs;

/** Unix nanoseconds of so many seconds after `t0`, as OTLP/JSON writes them. */
export const nano = (seconds: number) => `${BigInt(t0 + Math.round(seconds * 1000)) * 1_000_000n}`;

export type Signal = 'logs' | 'traces' | 'metrics';
export type Source = 'log' | 'trace' | 'metric';
type Json = ReturnType<typeof JSON.parse>;

/** What one test file sees of a program that runs: the collector to send to, the API to ask. */
export class FieldWorld {
  readonly program: RunningProgram;

  constructor(program: RunningProgram) {
    this.program = program;
  }

  /** One request to OTLP/HTTP, as the sender's own program would write it. */
  async export(
    signal: Signal,
    body: string | Uint8Array<ArrayBuffer>,
    headers: Record<string, string> = {},
  ): Promise<{ status: number; json: Json; headers: Headers }> {
    const answer = await fetch(`${this.program.addresses.otlpHttp}/v1/${signal}`, {
      method: 'POST',
      headers: { authorization: ingestionKey, 'content-type': 'application/json', ...headers },
      body,
    });
    const text = await answer.text();
    return { status: answer.status, json: parseIfJson(text), headers: answer.headers };
  }

  /** Sends what must be taken whole. */
  async send(signal: Signal, payload: object): Promise<void> {
    const { status, json } = await this.export(signal, JSON.stringify(payload));
    expect([status, json]).toEqual([200, {}]);
  }

  async sourceId(kind: Source): Promise<string> {
    const { json } = await this.program.call('GET', '/api/v2/sources');
    const found = (json as Json).data.find((source: { kind: string }) => source.kind === kind);
    return found.id;
  }

  /** The rows of a chart that must be answered. */
  async chart(body: object): Promise<Json[]> {
    return (await this.chartBody(body)).data;
  }

  async chartBody(body: object): Promise<Json> {
    const { status, json } = await this.program.call('POST', '/api/v2/charts/series', body);
    expect(status, JSON.stringify(json)).toBe(200);
    return json;
  }

  /** What a search of the whole time around `t0` finds, oldest first. */
  async search(kind: Source, where: string, select: string): Promise<Json[]> {
    const { status, json } = await this.program.call('POST', '/api/v2/search', {
      sourceId: await this.sourceId(kind),
      startTime: new Date(t0 - 24 * hourMs).toISOString(),
      endTime: new Date(Date.now() + hourMs).toISOString(),
      where,
      select,
      orderBy: 'Timestamp ASC',
    });
    expect(status, JSON.stringify(json)).toBe(200);
    return (json as Json).data;
  }
}

function parseIfJson(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const attributesOf = (values: Record<string, string>) =>
  Object.entries(values).map(([key, stringValue]) => ({ key, value: { stringValue } }));

export const resourceOf = (service: string, values: Record<string, string> = {}) => ({
  attributes: attributesOf({ 'service.name': service, ...values }),
});

/** One log record per entry, all of one service. */
export const logsOf = (service: string, records: readonly object[]) => ({
  resourceLogs: [{ resource: resourceOf(service), scopeLogs: [{ logRecords: records }] }],
});

export const spansOf = (service: string, spans: readonly object[]) => ({
  resourceSpans: [{ resource: resourceOf(service), scopeSpans: [{ spans }] }],
});

export const metricsOf = (metric: object, resource: Record<string, string> = {}) => ({
  resourceMetrics: [{ resource: resourceOf('field', resource), scopeMetrics: [{ metrics: [metric] }] }],
});

export { attributesOf };
