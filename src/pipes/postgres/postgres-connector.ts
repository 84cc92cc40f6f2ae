import type pg from 'pg';
import type { PipeInput } from '../../contract/pipe-input.ts';
import type { Problem } from '../../contract/problem.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { PipeDefinition } from '../pipe-definition.ts';
import { type Connector, type OpenSource, SourceError, type SourceJob } from '../source-port.ts';
import { type AddressGuard, PostgresConnections, textRows } from './postgres-connections.ts';
import { sourceErrorOf } from './postgres-error.ts';
import { type PostgresPlan, postgresPlanOf } from './postgres-plan.ts';
import { postgresProblems } from './postgres-problems.ts';
import { PostgresSource, sqlTimeOf } from './postgres-source.ts';
import {
  checkGivenPublication,
  createSlot,
  dropSlot,
  ensurePublication,
  findSlot,
  removeOwnObjects,
} from './replication-slot.ts';
import { areCopied, openSnapshots } from './snapshot-state.ts';
import { readableTables } from './source-catalog.ts';
import { SourceTables } from './source-tables.ts';

interface PostgresConnectorDeps {
  guard: AddressGuard;
  clock: Clock;
}

const sourceKey = 'source';
const versions = { least: 120_000, failoverSlots: 170_000 };

/** Tables of PostgreSQL: a snapshot of their rows, then every change. */
export class PostgresConnector implements Connector {
  readonly kind = 'postgres';
  readonly #deps: PostgresConnectorDeps;

  constructor(deps: PostgresConnectorDeps) {
    this.#deps = deps;
  }

  problemsOf(pipe: PipeInput): readonly Problem[] {
    return postgresProblems(pipe);
  }

  async open(job: SourceJob): Promise<OpenSource> {
    const plan = postgresPlanOf(job.pipe);
    const connections = new PostgresConnections(plan.server, this.#deps.guard);
    const end = () => void connections.close();
    job.signal.addEventListener('abort', end, { once: true });
    try {
      return await this.#open(job, plan, connections);
    } catch (error) {
      await connections.close();
      throw sourceErrorOf(error);
    }
  }

  async names(pipe: PipeDefinition, { max, signal }: { max: number; signal: AbortSignal }): Promise<string[]> {
    const connections = new PostgresConnections(postgresPlanOf(pipe).server, this.#deps.guard);
    signal.addEventListener('abort', () => void connections.close(), { once: true });
    try {
      return await readableTables(await connections.connect('statements'), max);
    } catch (error) {
      throw sourceErrorOf(error);
    } finally {
      await connections.close();
    }
  }

  async remove(pipe: PipeDefinition): Promise<void> {
    const plan = postgresPlanOf(pipe);
    if (plan.mode === 'snapshot') return;
    const connections = new PostgresConnections(plan.server, this.#deps.guard);
    try {
      await removeOwnObjects(await connections.connect('statements'), plan);
    } catch (error) {
      throw sourceErrorOf(error);
    } finally {
      await connections.close();
    }
  }

  async #open(job: SourceJob, plan: PostgresPlan, connections: PostgresConnections): Promise<OpenSource> {
    const { clock } = this.#deps;
    const client = await connections.connect('statements');
    await checkServer(client, plan);
    const tables = new SourceTables(plan, client);
    const present = await tables.read();
    if (plan.mode !== 'snapshot') await checkGivenPublication(client, plan);
    const copies = plan.mode !== 'cdc_only';
    const prepare = async () => {
      if (plan.mode !== 'snapshot') await ensureSlot(job, plan, connections, client);
      if (!copies) return [];
      const order = { client, rowsPerPartition: plan.rowsPerPartition, isContinued: plan.mode === 'cdc' };
      return openSnapshots(job, present, { ...order, syncedAt: sqlTimeOf(clock.nowMs()) });
    };
    const phase = copies && !(await areCopied(job, present)) ? 'snapshot' : 'stream';
    return new PostgresSource({ job, plan, connections, client, tables, phase, prepare, clock });
  }
}

async function checkServer(client: pg.Client, { mode, hasFailoverSlot }: PostgresPlan): Promise<void> {
  const [[version, level, isReplica] = []] = await textRows(
    client,
    "SELECT current_setting('server_version_num'), current_setting('wal_level'), pg_is_in_recovery()",
  );
  const rejected = (sentence: string) => new SourceError('rejected', sentence);
  if (Number(version) < versions.least) throw rejected('The PostgreSQL server must be of version 12 or later.');
  if (isReplica === 't') throw rejected('The PostgreSQL server is a read replica; a pipe reads from its primary.');
  if (mode !== 'snapshot' && level !== 'logical') {
    throw rejected('PostgreSQL must run with wal_level = logical; or set replicationMode to snapshot.');
  }
  if (hasFailoverSlot && Number(version) < versions.failoverSlots) {
    throw rejected('enableFailoverSlots needs PostgreSQL 17 or later.');
  }
}

/** The slot exists before anything is copied: what changes meanwhile is sent afterwards. */
async function ensureSlot(
  job: SourceJob,
  plan: PostgresPlan,
  connections: PostgresConnections,
  client: pg.Client,
): Promise<void> {
  const replication = await connections.connect('replication');
  const { rows } = await replication.query<{ systemid: string }>('IDENTIFY_SYSTEM');
  await replication.end();
  const system = rows[0]?.systemid ?? '';
  const known = (await job.ledger.find(job.pipe.id, [sourceKey])).get(sourceKey);
  if (known !== undefined && known !== system) {
    const sentence =
      'The PostgreSQL server is not the one that the pipe has read before; empty the target tables and resync the pipe.';
    throw new SourceError('rejected', sentence);
  }
  await ensurePublication(client, plan);
  const slot = await findSlot(client, plan.slot.name);
  if (known === undefined && plan.slot.isOurs) {
    if (slot) await dropSlot(client, plan.slot.name);
    await createSlot(client, plan);
  } else if (!slot || slot.isLost) {
    const sentence = slot
      ? 'PostgreSQL has removed changes that the pipe had not read (max_slot_wal_keep_size); resync the pipe.'
      : `PostgreSQL has no replication slot ${plan.slot.name}; make it${plan.slot.isOurs ? ' by a resync of the pipe' : ', or leave replicationSlotName out'}.`;
    throw new SourceError('rejected', sentence);
  }
  if (known === undefined) await job.plan([{ key: sourceKey, position: system }]);
}
