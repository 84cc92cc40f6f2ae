import { apiKey } from '../../bench/program.ts';
import { pause } from '../cluster/exporter.ts';

export interface Answer {
  status: number;
  json: unknown;
}

/** Calls the API as careful clients do: once more after a failure that may pass, not before `Retry-After`. */
export class ApiClient {
  readonly #origin: string;
  calls = 0;
  retried = 0;
  /** What failed twice, or in a way that does not pass. */
  readonly failures: string[] = [];

  constructor(origin: string) {
    this.#origin = origin;
  }

  /** `undefined` when it failed after the retry. */
  async call(method: string, path: string, body?: object): Promise<Answer | undefined> {
    this.calls += 1;
    const first = await this.#try(method, path, body);
    if (isSuccess(first)) return first;
    this.retried += 1;
    await pause(first.retryMs);
    const second = await this.#try(method, path, body);
    if (isSuccess(second)) return second;
    this.failures.push(
      `${new Date().toISOString()} ${method} ${path}: ${first.reason} after ${first.tookMs} ms, then ${second.reason} after ${second.tookMs} ms`,
    );
    return undefined;
  }

  async #try(method: string, path: string, body?: object): Promise<Attempt> {
    const startedMs = Date.now();
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
    try {
      const answer = await fetch(`${this.#origin}/api/v2${path}`, {
        method,
        headers,
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      return {
        status: answer.status,
        json: JSON.parse(text),
        retryMs: Number(answer.headers.get('retry-after') ?? 1) * 1_000,
        reason: `${answer.status} ${text.slice(0, 200)}`,
        tookMs: Date.now() - startedMs,
      };
    } catch (error) {
      return { status: 0, json: undefined, retryMs: 1_000, reason: String(error), tookMs: Date.now() - startedMs };
    }
  }
}

interface Attempt extends Answer {
  /** How long to wait before the next one. */
  retryMs: number;
  reason: string;
  tookMs: number;
}

const isSuccess = ({ status }: Attempt) => status === 200;
