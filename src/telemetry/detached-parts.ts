import type { Clock } from '../kernel/clock.ts';
import type { ClickHouseClient } from './clickhouse-client.ts';

export interface DetachedPartsDeps {
  client: Pick<ClickHouseClient, 'query'>;
  clock: Clock;
}

const keepMs = 60_000;
const timeoutMs = 2_000;

/**
 * Parts that the engine has set aside, mostly because it found their files damaged when it started: their rows are
 * missing from every answer, and nothing else shows it.
 */
export class DetachedParts {
  readonly #deps: DetachedPartsDeps;
  #known: { atMs: number; count: Promise<number> } | undefined;

  constructor(deps: DetachedPartsDeps) {
    this.#deps = deps;
  }

  /** Looked up at most once a minute. Throws `TelemetryError`. */
  count(): Promise<number> {
    const nowMs = this.#deps.clock.nowMs();
    if (this.#known && Math.abs(nowMs - this.#known.atMs) < keepMs) return this.#known.count;
    const count = this.#look();
    this.#known = { atMs: nowMs, count };
    count.catch(() => {
      this.#known = undefined;
    });
    return count;
  }

  async #look(): Promise<number> {
    const { columns } = await this.#deps.client.query('SELECT count() FROM system.detached_parts', { timeoutMs });
    return Number(columns[0]?.[0] ?? 0);
  }
}
