import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { Clock } from '../../kernel/clock.ts';
import type { Lane, OpenSource, SourceBatch, SourceJob } from '../source-port.ts';
import { type ChangeBatch, changeBatches, erasing, fieldsOf } from './change-batches.ts';
import { ChangeCutter, type Cut } from './change-cuts.ts';
import { type Partition, PartitionQueue } from './partitions.ts';
import type { Relation } from './pgoutput.ts';
import type { PostgresConnections } from './postgres-connections.ts';
import { sourceErrorOf } from './postgres-error.ts';
import type { PostgresPlan } from './postgres-plan.ts';
import type { ReplicatedTable } from './replicated-table.ts';
import { findSlot } from './replication-slot.ts';
import { ReplicationStream } from './replication-stream.ts';
import { snapshotRows } from './snapshot-rows.ts';
import { completeEntries, partitionEntry, type TableSnapshot } from './snapshot-state.ts';
import type { SourceTables } from './source-tables.ts';
import { parsePosition, printPosition, type StreamPosition, streamStart } from './stream-position.ts';

interface PostgresSourceDeps {
  job: SourceJob;
  plan: PostgresPlan;
  connections: PostgresConnections;
  client: pg.Client;
  tables: SourceTables;
  phase: SourceBatch['phase'];
  /** Makes what is needed in PostgreSQL, and plans what has to be copied. */
  prepare(): Promise<readonly TableSnapshot[]>;
  clock: Clock;
}

const lagMs = 10_000;
const positionKey = 'stream/position';
const plannedKey = 'stream/planned';

/** Copies tables, several partitions at a time, and then follows their changes in one lane. */
export class PostgresSource implements OpenSource {
  readonly phase: SourceBatch['phase'];
  readonly #deps: PostgresSourceDeps;
  #snapshots: readonly TableSnapshot[] = [];
  #queue = new PartitionQueue([], { lanesPerTable: 1, tablesAtOnce: 1 });
  readonly #known = new Map<string, ReplicatedTable | undefined>();
  #snapshotName: string | undefined;
  /** Called when the batch with this identity is durable. */
  readonly #acknowledged = new Map<string, () => void>();
  #stream: ReplicationStream | undefined;
  #cancelWatch: () => void = () => {};
  #isClosed = false;

  constructor(deps: PostgresSourceDeps) {
    this.#deps = deps;
    this.phase = deps.phase;
    const wakeAll = () => {
      for (const wake of this.#acknowledged.values()) wake();
    };
    deps.job.signal.addEventListener('abort', wakeAll, { once: true });
  }

  async *lanes(): AsyncGenerator<Lane> {
    const { plan, job, prepare } = this.#deps;
    this.#snapshots = (await this.#quietly(prepare)) ?? [];
    this.#queue = new PartitionQueue(
      this.#snapshots.map(({ partitions }) => [...partitions]),
      plan,
    );
    if (plan.mode !== 'snapshot') this.#watchLag();
    if (this.#snapshots.some(({ partitions }) => partitions.length > 0)) {
      const holder = await this.#quietly(() => this.#holdSnapshot());
      const width = Math.min(job.limits.lanes, plan.lanesPerTable * plan.tablesAtOnce);
      for (let lane = 0; lane < width; lane++) yield this.#snapshotLane();
      await Promise.race([this.#queue.done, aborted(job.signal)]);
      await holder?.end().catch(() => {});
    }
    if (!job.signal.aborted) yield this.#mainLane();
  }

  async acknowledge({ identity, positions }: SourceBatch): Promise<void> {
    this.#acknowledged.get(identity)?.();
    this.#acknowledged.delete(identity);
    if (positions.some(({ key }) => key.startsWith('partitions/'))) this.#queue.settle();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelWatch();
    this.#stream?.stop();
    await this.#deps.connections.close();
  }

  /** What an ending run throws is of no interest; other errors are put into our words. */
  async #quietly<Value>(read: () => Promise<Value>): Promise<Value | undefined> {
    try {
      return await read();
    } catch (error) {
      if (this.#deps.job.signal.aborted) return undefined;
      throw sourceErrorOf(error);
    }
  }

  /** All partitions are read as of one moment, which lasts while its transaction is open. */
  async #holdSnapshot(): Promise<pg.Client> {
    const holder = await this.#deps.connections.connect('statements');
    await holder.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const { rows } = await holder.query<{ name: string }>('SELECT pg_export_snapshot() AS name');
    this.#snapshotName = rows[0]?.name;
    return holder;
  }

  async *#snapshotLane(): AsyncGenerator<SourceBatch> {
    const client = await this.#quietly(() => this.#snapshotClient());
    for (let next = this.#queue.take(); client && next; next = this.#queue.take()) {
      const rows = this.#partitionBatches(client, next.partition);
      try {
        for (;;) {
          const batch = await this.#quietly(() => rows.next());
          if (!batch || batch.done) break;
          yield batch.value;
        }
      } finally {
        next.leave();
      }
      if (this.#deps.job.signal.aborted) return;
    }
    await client?.end().catch(() => {});
  }

  async #snapshotClient(): Promise<pg.Client> {
    const client = await this.#deps.connections.connect('statements');
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    await client.query(`SET TRANSACTION SNAPSHOT '${this.#snapshotName}'`);
    return client;
  }

  /** The last batch of a partition says that it is complete, so each is passed on when the next one is there. */
  async *#partitionBatches(client: pg.Client, partition: Partition): AsyncGenerator<SourceBatch> {
    const { job } = this.#deps;
    const snapshot = this.#snapshots.find(({ table }) => table === partition.table);
    if (!snapshot) throw new Error('a partition belongs to no snapshot');
    const order = { marks: snapshot, bytesMax: job.limits.batchBytesMax };
    let held: SourceBatch | undefined;
    for await (const body of snapshotRows(client, partition, order)) {
      if (held) yield held;
      held = snapshotBatch(snapshot, partition, body);
    }
    const entry = partitionEntry(partition);
    if (held) return yield { ...held, positions: [entry] };
    await job.plan([entry]);
    this.#queue.settle();
  }

  /** Rows that were in the targets before and are not in the snapshot, then the changes since. */
  async *#mainLane(): AsyncGenerator<SourceBatch> {
    for (const snapshot of this.#snapshots) yield this.#erasingBatch(snapshot);
    if (this.#deps.plan.mode === 'snapshot') return;
    const cutter = await this.#quietly(() => this.#startStream());
    for (;;) {
      const cut = await this.#quietly(async () => cutter?.next());
      if (!cut) return;
      const batches = await this.#quietly(() => this.#batchesOf(cut));
      if (!batches) return;
      const durable = this.#durable(batches.at(-1));
      yield* batches;
      await durable;
      if (this.#deps.job.signal.aborted) return;
      this.#stream?.confirm(cut.confirmLsn);
    }
  }

  #erasingBatch(snapshot: TableSnapshot): SourceBatch {
    const { table, version } = snapshot;
    const batch = erasing(table, { name: table.target.table, below: BigInt(version) });
    const identity = `erased/${version}/${table.target.table}`;
    return { ...batch, identity, positions: completeEntries(snapshot), sourceBytes: 0, phase: 'snapshot' };
  }

  async #startStream(): Promise<ChangeCutter> {
    const { job, plan, connections, clock } = this.#deps;
    const { signal, limits } = job;
    const client = await connections.connect('replication');
    const found = await job.ledger.find(job.pipe.id, [positionKey, plannedKey]);
    const position = found.get(positionKey);
    const names = { slot: plan.slot.name, publication: plan.publication.name };
    const stream = new ReplicationStream(client, names, clock);
    this.#stream = stream;
    return new ChangeCutter(stream, {
      from: position === undefined ? streamStart : parsePosition(position),
      plannedEnd: plannedEndOf(found.get(plannedKey), position),
      changesMax: plan.changesMax,
      bytesMax: limits.batchBytesMax,
      syncIntervalMs: plan.syncIntervalMs,
      clock,
      signal,
      onCaughtUp: () => job.onLag(0),
    });
  }

  /** Where the cut ends is durable before its first row is written: after a crash it is cut there again. */
  async #batchesOf(cut: Cut): Promise<SourceBatch[]> {
    const { job, client, clock } = this.#deps;
    const found = await job.ledger.find(job.pipe.id, [positionKey]);
    const from = found.get(positionKey) ?? printPosition(streamStart);
    const to = printPosition(cut.to);
    const batches = await changeBatches(cut, {
      findTable: (relation) => this.#findTable(relation),
      lookups: client,
      syncedAt: sqlTimeOf(clock.nowMs()),
    });
    const position = { key: positionKey, position: to };
    if (batches.length === 0) await job.plan([position]);
    else await job.plan([{ key: plannedKey, position: JSON.stringify({ from, to }) }]);
    return batches.map((batch, at) => this.#streamBatch(batch, cut, { from, to, isLast: at === batches.length - 1 }));
  }

  #streamBatch(
    { name, ...batch }: ChangeBatch,
    cut: Cut,
    { from, to, isLast }: { from: string; to: string; isLast: boolean },
  ): SourceBatch {
    return {
      ...batch,
      identity: `stream/${from}/${to}/${name}`,
      positions: isLast ? [{ key: positionKey, position: to }] : [],
      sourceBytes: batch.body.reduce((sum, { length }) => sum + length, 0),
      phase: 'stream',
      ...(isLast && { lagMs: Math.max(0, this.#deps.clock.nowMs() - cut.commitMs) }),
    };
  }

  async #findTable(relation: Relation): Promise<ReplicatedTable | undefined> {
    const key = JSON.stringify(relation);
    if (!this.#known.has(key)) this.#known.set(key, await this.#deps.tables.ofStream(relation));
    return this.#known.get(key);
  }

  /** Resolves when the batch is durable, or the run ends. */
  async #durable(batch: SourceBatch | undefined): Promise<void> {
    if (!batch || this.#deps.job.signal.aborted) return;
    await new Promise<void>((resolve) => this.#acknowledged.set(batch.identity, resolve));
  }

  /** What the server keeps for the slot grows while the pipe does not follow. */
  #watchLag(): void {
    const { client, plan, job, clock } = this.#deps;
    const look = async () => {
      const slot = await findSlot(client, plan.slot.name);
      if (slot) job.onLagBytes(slot.lagBytes);
    };
    // The next statement that the pipe needs reports what is wrong.
    const looked = look().catch(() => {});
    looked.then(() => {
      if (!this.#isClosed) this.#cancelWatch = clock.after(lagMs, () => this.#watchLag());
    });
  }
}

function snapshotBatch({ table, version }: TableSnapshot, partition: Partition, body: readonly Buffer[]): SourceBatch {
  const digest = createHash('sha256');
  for (const piece of body) digest.update(piece);
  return {
    // When rows are read again after a crash, other rows may be among them.
    identity: `snapshot/${version}/${partition.key}/${digest.digest('base64url')}`,
    positions: [],
    format: 'TabSeparated',
    fields: fieldsOf(table),
    body,
    positionOf: (record) => `${table.schema}.${table.table}, partition ${partition.key}, row ${record + 1}`,
    sourceBytes: body.reduce((sum, { length }) => sum + length, 0),
    target: table.target,
    phase: 'snapshot',
  };
}

/** Only a cut that begins where the ledger stands is still to be made. */
function plannedEndOf(planned: string | undefined, position: string | undefined): StreamPosition | undefined {
  if (planned === undefined) return undefined;
  // Written by `#batchesOf`.
  const { from, to } = JSON.parse(planned) as { from: string; to: string };
  return from === (position ?? printPosition(streamStart)) ? parsePosition(to) : undefined;
}

/** As the engine reads it. */
export function sqlTimeOf(ms: number): string {
  return new Date(ms).toISOString().replace('T', ' ').replace('Z', '');
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
