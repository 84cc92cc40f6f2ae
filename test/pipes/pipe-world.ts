import type { PipeInput } from '../../src/contract/pipe-input.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { randomIds } from '../../src/kernel/ids.ts';
import { RecordingLogger } from '../../src/kernel/recording-logger.ts';
import { guardedAgent } from '../../src/notify/guarded-agent.ts';
import { SsrfGuard } from '../../src/notify/target-guard.ts';
import { ClickHouseDestination } from '../../src/pipes/destination/clickhouse-destination.ts';
import { FakePipeRuns } from '../../src/pipes/fake-pipe-runs.ts';
import { KafkaConnector } from '../../src/pipes/kafka/kafka-connector.ts';
import { KinesisConnector } from '../../src/pipes/kinesis/kinesis-connector.ts';
import { ObjectStorageConnector } from '../../src/pipes/object-storage/object-storage-connector.ts';
import type { PipeDefinition } from '../../src/pipes/pipe-definition.ts';
import type { PipeLeases } from '../../src/pipes/pipe-leases.ts';
import type { PipeLedger } from '../../src/pipes/pipe-ledger.ts';
import { noPipeMetrics } from '../../src/pipes/pipe-metrics.ts';
import { connectorsOf } from '../../src/pipes/run-check.ts';
import { PipeSupervisor } from '../../src/pipes/supervisor.ts';
import { FakePipeRepository } from '../../src/resources/pipes/fake-pipe-repository.ts';
import type { PipeCommand } from '../../src/resources/pipes/pipe-transitions.ts';
import type { TableStatements } from '../../src/telemetry/ports.ts';
import { afterFile } from '../support/after-file.ts';
import type { TestEngine } from '../support/start-engine.ts';

export const database = 'pipes_world';
export const serviceId = '0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d';

/** What a process that is to be killed is given instead of the real things. */
export interface ProcessDeps {
  leases: PipeLeases;
  ledger: PipeLedger;
  statements: TableStatements;
}

type Fields = Omit<PipeInput, 'id' | 'name'>;

/** Pipes in memory that write into a real engine. */
export class PipeWorld {
  readonly pipes = new FakePipeRepository();
  readonly runs = new FakePipeRuns(this.pipes);
  readonly logger = new RecordingLogger();
  readonly #engine: TestEngine;
  readonly #filesFolder: string | undefined;
  readonly #allowedHosts: readonly string[];
  readonly #kinesisUrl: string | undefined;
  readonly #ends: (() => Promise<void>)[] = [];

  constructor(
    engine: TestEngine,
    options: { filesFolder?: string; allowedHosts?: readonly string[]; kinesisUrl?: string } = {},
  ) {
    this.#engine = engine;
    this.#filesFolder = options.filesFolder;
    this.#kinesisUrl = options.kinesisUrl;
    this.#allowedHosts = options.allowedHosts ?? ['127.0.0.1'];
    afterFile(() => this.stop());
  }

  get deps(): ProcessDeps {
    return { leases: this.runs, ledger: this.runs, statements: this.#engine.client };
  }

  /** A process with the role `pipes`. */
  start(): void {
    const { supervisor, dispatcher } = this.launch(this.deps, randomIds.uuid());
    this.#ends.push(async () => {
      await supervisor.stop();
      await dispatcher.destroy();
    });
  }

  /** A process that is never stopped in order. */
  launch(deps: ProcessDeps, owner: string) {
    const guard = new SsrfGuard(this.#allowedHosts);
    const dispatcher = guardedAgent(guard, 5_000);
    const folder = this.#filesFolder === undefined ? {} : { filesFolder: this.#filesFolder };
    const connectors = [
      new ObjectStorageConnector({ dispatcher, clock: systemClock, ...folder }),
      new KafkaConnector({ guard, agentFor: () => dispatcher, clock: systemClock }),
      new KinesisConnector({
        ...{ agentFor: () => dispatcher, clock: systemClock, pace: { busyMs: 1, idleMs: 20 }, growthMs: 50 },
        ...(this.#kinesisUrl !== undefined && { endpoint: this.#kinesisUrl }),
      }),
    ];
    const supervisor = new PipeSupervisor({
      ...deps,
      connectors: connectorsOf(connectors),
      destinationOf: async () => this.#destination(deps.statements),
      // What tests write is a valid pipe.
      open: ({ pipe, generation }) => ({ ...pipe.fields, id: pipe.id, serviceId, generation }) as PipeDefinition,
      metrics: noPipeMetrics,
      clock: systemClock,
      logger: this.logger,
      owner,
      errorsMax: 100,
      pipesMax: 10,
      leaseMs: 5_000,
      lookMs: 10,
      firstRetryMs: 20,
      random: Math.random,
    });
    supervisor.start();
    return { supervisor, dispatcher };
  }

  async stop(): Promise<void> {
    for (const end of this.#ends.splice(0)) await end();
  }

  async create(fields: Fields): Promise<string> {
    const id = randomIds.uuid();
    const at = new Date().toISOString();
    const pipe = { id, createdAt: at, updatedAt: at, fields: { name: 'p', state: 'Running', ...fields } };
    await this.pipes.insert(serviceId, pipe);
    return id;
  }

  command(pipeId: string, command: PipeCommand) {
    const nowMs = Date.now();
    return this.runs.command({ serviceId, pipeId, family: 'stream', given: 'Running', nowMs, command });
  }

  async run(pipeId: string) {
    return (await this.pipes.find(serviceId, pipeId))?.run;
  }

  /** Columns of the statement's first row. */
  async ask(list: string, table: string): Promise<unknown[]> {
    const sql = `SELECT ${list} FROM ${database}.\`${table}\``;
    const { columns } = await this.#engine.client.query(sql, { timeoutMs: 20_000 });
    return columns.map((column) => column[0]);
  }

  #destination(statements: TableStatements): ClickHouseDestination {
    const { topology } = this.#engine;
    return new ClickHouseDestination({
      statements,
      place: { database, ...(topology.kind === 'cluster' && { cluster: topology.cluster }) },
      ensureDatabase: () => this.#engine.databases.ensure(database),
      settings: {},
      clock: systemClock,
    });
  }
}
