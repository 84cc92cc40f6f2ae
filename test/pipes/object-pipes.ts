import { expect, vi } from 'vitest';
import type { PipeWorld } from './pipe-world.ts';

export const columns = [
  { name: 'id', type: 'UInt64' },
  { name: 'name', type: 'String' },
];
export const settings = { object_storage_polling_interval_ms: 100 };

/** Rows of `columns` as lines of JSON, with ids from `from` up to `to`. */
export const lines = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `{"id":${from + index},"name":"n"}\n`).join('');

/** Pipes of a store of objects, each into a separate table. */
export class ObjectPipes {
  readonly #world: PipeWorld;
  readonly #prefix: string;
  #tables = 0;

  constructor(world: PipeWorld, prefix: string) {
    this.#world = world;
    this.#prefix = prefix;
  }

  async create(source: object, more: object = {}): Promise<{ id: string; table: string }> {
    const table = `${this.#prefix}_${++this.#tables}`;
    const objectStorage = { format: 'JSONEachRow', ...source };
    const fields = { destination: { table, columns }, settings, source: { objectStorage }, ...more };
    return { id: await this.#world.create(fields), table };
  }

  async until(id: string, state: string) {
    await vi.waitFor(
      async () => {
        const run = await this.#world.run(id);
        expect(`${run?.state} ${run?.reason ?? ''}`).toMatch(new RegExp(`^${state} `));
      },
      { timeout: 20_000, interval: 10 },
    );
    return this.#world.run(id);
  }

  counted(table: string): Promise<unknown[]> {
    return this.#world.ask('count(), uniqExact(id), sum(id)', table);
  }

  async rowsUntil(table: string, count: number): Promise<void> {
    const holds = async () => expect((await this.counted(table).catch(() => []))[0]).toBe(count);
    await vi.waitFor(holds, { timeout: 20_000, interval: 20 });
  }
}
