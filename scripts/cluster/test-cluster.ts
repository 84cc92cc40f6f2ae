import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { systemClock } from '../../src/kernel/clock.ts';
import { randomIds } from '../../src/kernel/ids.ts';
import { ClickHouseClient } from '../../src/telemetry/clickhouse-client.ts';
import { parseEndpoints, RoundRobinEndpoints } from '../../src/telemetry/endpoints.ts';
import { SmallDisk } from '../soak/small-disk.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');
const smallDiskMb = 500;
/** The tool says with this exit code what it needs. */
const missingStatus = 2;

/** Why there is no cluster on this machine. */
export class ClusterMissingError extends Error {}

/**
 * A ClickHouse cluster that the tool in SIGNALBOX_TEST_CLUSTER_TOOL runs: `start N`, `kill N`, `restart N`,
 * `zookeeper stop|start`, `stop`. It keeps node N in `$REAL_CLICKHOUSE_DIR/nN` and listens from $REAL_CLICKHOUSE_PORT on.
 */
export class TestCluster {
  /** Of node 4, so that it can be filled. */
  readonly disk = new SmallDisk(smallDiskMb);
  readonly #tool: string;
  readonly #folder = mkdtempSync(join(tmpdir(), 'signalbox-cluster-'));
  readonly #env: NodeJS.ProcessEnv;
  /** Of two nodes, which are in different shards if there are two. */
  urls: string[] = [];
  /** As the servers are configured. */
  name = '';

  private constructor(tool: string, port: number) {
    this.#tool = tool;
    this.#env = { ...process.env, REAL_CLICKHOUSE_DIR: this.#folder, REAL_CLICKHOUSE_PORT: String(port) };
    symlinkSync(this.disk.folder, join(this.#folder, 'n4'));
  }

  static async start(nodes: number, tool = process.env.SIGNALBOX_TEST_CLUSTER_TOOL): Promise<TestCluster> {
    if (!tool) throw new ClusterMissingError('SIGNALBOX_TEST_CLUSTER_TOOL is not set');
    const cluster = new TestCluster(tool, await freePorts());
    try {
      await cluster.#start(nodes);
    } catch (error) {
      await cluster.remove();
      throw error;
    }
    return cluster;
  }

  async #start(nodes: number): Promise<void> {
    const output = await this.#run('start', String(nodes));
    const setting = (name: string) => new RegExp(`${name}=(\\S+)`).exec(output)?.[1] ?? '';
    this.urls = setting('SIGNALBOX_CLICKHOUSE_URL').split(',');
    this.name = setting('SIGNALBOX_CLICKHOUSE_CLUSTER');
    if (parseEndpoints(this.urls.join()).length === 0)
      throw new Error(`no address in what the tool printed: ${output}`);
  }

  /** Asks the nodes directly, not through what disturbs the program's requests. Closed by the caller. */
  openClient(): ClickHouseClient {
    const endpoints = new RoundRobinEndpoints(parseEndpoints(this.urls.join()));
    return new ClickHouseClient({ endpoints, clock: systemClock, ids: randomIds });
  }

  async kill(...nodes: number[]): Promise<void> {
    for (const node of nodes) await this.#run('kill', String(node));
  }

  async restart(...nodes: number[]): Promise<void> {
    for (const node of nodes) await this.#run('restart', String(node));
  }

  async zookeeper(command: 'stop' | 'start'): Promise<void> {
    await this.#run('zookeeper', command);
  }

  async remove(): Promise<void> {
    this.disk.free();
    await this.#run('stop');
    this.disk.remove();
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 500 });
  }

  async #run(...args: string[]): Promise<string> {
    try {
      return (await run(this.#tool, args, { cwd: root, env: this.#env })).stdout;
    } catch (error) {
      // What `execFile` rejects with; `code` is the exit status, or names why nothing could be run.
      const { code, stderr = '' } = error as { code?: number | string; stderr?: string };
      if (code === missingStatus) throw new ClusterMissingError(stderr.trim());
      if (typeof code === 'string') throw new ClusterMissingError(`SIGNALBOX_TEST_CLUSTER_TOOL cannot be run: ${code}`);
      throw new Error(`${args.join(' ')}: ${stderr}`);
    }
  }
}

/** Where nothing listens: ZooKeeper 6,000 below, the nodes up to 884 above; all below those that the system gives out. */
async function freePorts(): Promise<number> {
  const offsets = [-6_000, 1, 2, 3, 4, 881, 882, 883, 884];
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 1_100) * 10;
    const free = await Promise.all(offsets.map((offset) => isFree(port + offset)));
    if (free.every(Boolean)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((done) => {
    const listener = createServer();
    listener.once('error', () => done(false));
    listener.listen(port, '127.0.0.1', () => listener.close(() => done(true)));
  });
}
