import type pg from 'pg';
import type { TestEngine } from '../support/start-engine.ts';

/** Numbers from 0 to 1 that a seed determines. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * A table with a primary key, large values that are stored apart and awkward texts; and one without a primary key whose
 * rows are known by all of their values.
 */
export const workloadTables = `
CREATE TABLE items (id int PRIMARY KEY, name text, large text, amount numeric(12, 2), tags text[], at timestamptz,
  is_new boolean, note varchar(40) NOT NULL DEFAULT '', secret text);
ALTER TABLE items ALTER COLUMN large SET STORAGE EXTERNAL;
CREATE TABLE events (tenant text NOT NULL, number bigint NOT NULL, what jsonb, score double precision);
ALTER TABLE events REPLICA IDENTITY FULL;`;

const idsMax = 60;
const awkward = ['tab\there', 'line\nbreak', 'back\\slash', '\\N', "it's", 'naïve ☕', '', '{a,"b"}', '\r\v\f\b'];

/** Changes of both tables, one transaction at a time. */
export class Workload {
  readonly #random: () => number;
  #number = 0;

  constructor(random: () => number) {
    this.#random = random;
  }

  async step(client: pg.Client): Promise<void> {
    await client.query('BEGIN');
    const count = 1 + this.#below(4);
    for (let at = 0; at < count; at++) await this.#change(client);
    await client.query(this.#random() < 0.1 ? 'ROLLBACK' : 'COMMIT');
  }

  async #change(client: pg.Client): Promise<void> {
    const dice = this.#random();
    if (dice < 0.3) return this.#insert(client);
    if (dice < 0.45) return this.#run(client, 'UPDATE items SET name = $2 WHERE id = $1', [this.#id(), this.#text()]);
    if (dice < 0.55) return this.#run(client, 'UPDATE items SET large = $2 WHERE id = $1', [this.#id(), this.#large()]);
    if (dice < 0.65) return this.#move(client);
    if (dice < 0.75) return this.#run(client, 'DELETE FROM items WHERE id = $1', [this.#id()]);
    if (dice < 0.97) return this.#event(client);
    if (dice < 0.98) return this.#run(client, 'TRUNCATE items', []);
    return this.#run(client, 'UPDATE items SET amount = amount + 1, secret = name', []);
  }

  #insert(client: pg.Client): Promise<void> {
    return this.#run(
      client,
      `INSERT INTO items VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'secret')
       ON CONFLICT (id) DO UPDATE SET name = excluded.name, amount = excluded.amount`,
      [
        this.#id(),
        this.#text(),
        this.#random() < 0.7 ? this.#large() : null,
        (this.#random() * 2_000_000 - 1_000_000).toFixed(2),
        [this.#text(), null, this.#text()],
        new Date(1_700_000_000_000 + this.#below(10 ** 9)).toISOString(),
        this.#random() < 0.5,
        this.#text().slice(0, 40),
      ],
    );
  }

  /** The key changes, the large value does not. */
  #move(client: pg.Client): Promise<void> {
    const text = 'UPDATE items SET id = $2 WHERE id = $1 AND NOT EXISTS (SELECT FROM items WHERE id = $2)';
    return this.#run(client, text, [this.#id(), this.#id()]);
  }

  #event(client: pg.Client): Promise<void> {
    const dice = this.#random();
    const tenant = `t${this.#below(3)}`;
    if (dice < 0.5) {
      const values = [tenant, ++this.#number, JSON.stringify({ text: this.#text() }), this.#random()];
      return this.#run(client, 'INSERT INTO events VALUES ($1, $2, $3, $4)', values);
    }
    const row = this.#below(this.#number + 1);
    if (dice < 0.7) return this.#run(client, 'UPDATE events SET tenant = $2 WHERE number = $1', [row, tenant]);
    if (dice < 0.9) return this.#run(client, 'UPDATE events SET score = score + 1 WHERE number = $1', [row]);
    return this.#run(client, 'DELETE FROM events WHERE number = $1', [row]);
  }

  async #run(client: pg.Client, text: string, values: unknown[]): Promise<void> {
    await client.query(text, values);
  }

  #below(count: number): number {
    return Math.floor(this.#random() * count);
  }

  #id(): number {
    return this.#below(idsMax);
  }

  #text(): string {
    return awkward[this.#below(awkward.length)] ?? '';
  }

  /** Too large for a row: stored apart. */
  #large(): string {
    return `${this.#text()}${String(this.#random()).repeat(200)}`;
  }
}

/** The rows of both tables in PostgreSQL, in a form that the engine can give as well. */
export async function sourceRows(client: pg.Client): Promise<string[][]> {
  const items = `SELECT id::text, name, md5(large), (amount * 100)::bigint::text, array_to_json(tags)::text,
    (extract(epoch FROM at) * 1000000)::bigint::text, is_new::text, note FROM items`;
  const events = 'SELECT tenant, number::text, what::text, score::text FROM events';
  const rows = [];
  for (const text of [items, events]) rows.push(...(await client.query({ text, rowMode: 'array' })).rows);
  return sorted(rows.map((row: (string | null)[]) => row.map((value) => canonical(value))));
}

/** The same of the tables that a pipe keeps. */
export async function targetRows(query: TestEngine['client']['query'], database: string): Promise<string[][]> {
  const items = `SELECT toString(id), name, lower(hex(MD5(large))), toString(toInt64(amount * 100)), toJSONString(tags),
    toString(toUnixTimestamp64Micro(at)), toString(is_new), note FROM ${database}.items FINAL`;
  const events = `SELECT tenant, toString(number), what, toString(score) FROM ${database}.events FINAL`;
  const rows: string[][] = [];
  for (const sql of [items, events]) {
    const answer = await query(sql, { timeoutMs: 60_000 });
    for (let at = 0; at < answer.rows; at++) rows.push(answer.columns.map((column) => canonical(column[at])));
  }
  return sorted(rows);
}

function sorted(rows: string[][]): string[][] {
  return rows.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
}

/** JSON texts and numbers are written differently. */
function canonical(value: unknown): string {
  if (value === null) return 'NULL';
  const text = String(value);
  if (!/^[[{\d]/.test(text)) return text;
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text;
  }
}
