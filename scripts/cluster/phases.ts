import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Program } from '../../bench/program.ts';
import type { ClickHouseClient } from '../../src/telemetry/clickhouse-client.ts';
import { Exporter, pause, type Sent } from './exporter.ts';
import { type Fault, faults } from './faults.ts';
import { Reader, type Reads } from './reader.ts';
import { ServerProxy } from './server-proxy.ts';
import { assess, type Outcome } from './stored-batches.ts';
import type { TestCluster } from './test-cluster.ts';

/** One fault under ingestion and reading, and what became of it. */
export interface Phase extends Outcome {
  name: string;
  /** Why the fault was not tried, if so. */
  skipped?: string;
  requests: number;
  resent: number;
  /** Requests that were never acknowledged. */
  givenUp: number;
  slowestMs: number;
  reads: Reads;
}

const beforeMs = 5_000;
const afterMs = 10_000;
const lateMs = 5_000;
const noReads: Reads = { right: 0, errors: 0, wrong: 0 };

/** Starts the program over the cluster, and strikes the faults one after the other. */
export async function strikeAll(cluster: TestCluster, only = ''): Promise<Phase[]> {
  const proxies = cluster.urls.map((url) => new ServerProxy(url));
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-cluster-program-'));
  const urls = await Promise.all(proxies.map((proxy) => proxy.start()));
  const client = cluster.openClient();
  const program = await Program.start(folder, {
    SIGNALBOX_CLICKHOUSE_URL: urls.join(),
    SIGNALBOX_CLICKHOUSE_CLUSTER: cluster.name,
  });
  const run = new FaultRun({ cluster, proxies, program, client });
  const phases: Phase[] = [await run.undisturbed()];
  for (const fault of faults.filter(({ name }) => name.includes(only))) phases.push(await run.strike(fault));
  await program.stop();
  await client.close();
  for (const proxy of proxies) proxy.stop();
  rmSync(folder, { recursive: true, force: true });
  return phases;
}

interface RunDeps {
  cluster: TestCluster;
  proxies: readonly ServerProxy[];
  program: Program;
  client: ClickHouseClient;
}

class FaultRun {
  readonly #deps: RunDeps;
  readonly #exporter: Exporter;
  readonly #reader: Reader;
  readonly #names: string[] = [];

  constructor(deps: RunDeps) {
    this.#deps = deps;
    this.#exporter = new Exporter(() => deps.program.addresses.otlpHttp);
    this.#reader = new Reader(deps.program);
  }

  undisturbed(): Promise<Phase> {
    const idle = async () => {};
    return this.strike({ name: 'nothing', lastsMs: 0, begin: idle, end: idle });
  }

  async strike(fault: Fault): Promise<Phase> {
    const { cluster, proxies } = this.#deps;
    const struck = { cluster, proxies };
    const skipped = fault.whyNot?.(struck);
    if (skipped) return { name: fault.name, skipped, ...this.#figures(''), reads: noReads, ...noRecords };
    console.log(`${new Date().toISOString()}: ${fault.name}`);
    const phase = `phase-${this.#names.length}`;
    const isFirst = this.#names.length === 0;
    if (!isFirst) this.#reader.start([...this.#exporter.batches.values()], this.#names);
    this.#exporter.start(phase);
    await pause(beforeMs);
    await fault.begin(struck);
    await pause(fault.lastsMs);
    await fault.end(struck);
    await pause(afterMs);
    await this.#exporter.stop();
    await pause(lateMs);
    const reads = isFirst ? noReads : await this.#reader.stop();
    this.#names.push(phase);
    const outcome = await assess(this.#deps.client, this.#ofPhase(phase));
    return { name: fault.name, ...this.#figures(phase), reads, ...outcome };
  }

  #ofPhase(phase: string): Map<string, Sent> {
    return new Map([...this.#exporter.batches].filter(([, sent]) => sent.phase === phase));
  }

  #figures(phase: string): Pick<Phase, 'requests' | 'resent' | 'givenUp' | 'slowestMs'> {
    const sent = [...this.#ofPhase(phase).values()];
    return {
      requests: sent.length,
      resent: sent.filter(({ attempts }) => attempts > 1).length,
      givenUp: sent.filter(({ answeredMs }) => answeredMs === undefined).length,
      slowestMs: Math.max(0, ...sent.map(({ answeredMs }) => answeredMs ?? 0)),
    };
  }
}

const noRecords: Outcome = { records: 0, lost: 0, doubled: 0 };
