import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { childrenOf } from './process-usage.ts';

const root = resolve(import.meta.dirname, '..');

export const apiKey = '0123456789abcdef0123456789abcdef01234567';
export const ingestionKey = 'ingest-0123456789abcdef0123456789abcdef';

export interface Addresses {
  api: string;
  web: string;
  otlpHttp: string;
  otlpGrpc: string;
}

/** The program as a user starts it, in a separate process, with keys that the bench knows. */
export class Program {
  readonly addresses: Addresses;
  readonly pid: number;
  /** Milliseconds from spawn to the ready line. */
  readonly readyMs: number;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, addresses: Addresses, readyMs: number) {
    this.#child = child;
    this.addresses = addresses;
    this.pid = child.pid ?? 0;
    this.readyMs = readyMs;
  }

  /** The program's process and the engine child it started. */
  get pids(): number[] {
    return [this.pid, ...childrenOf(this.pid)];
  }

  static async start(dataDir: string, env: Record<string, string> = {}): Promise<Program> {
    const provisioning = join(dataDir, 'bench-provisioning.json');
    writeFileSync(provisioning, JSON.stringify(benchTeam));
    const startedMs = performance.now();
    const child = spawn('node', [join(root, 'dist/main.js'), 'serve'], {
      env: {
        ...process.env,
        ...baseEnv,
        SIGNALBOX_DATA_DIR: dataDir,
        SIGNALBOX_PROVISIONING: provisioning,
        ...env,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const addresses = await readyAddresses(child);
    return new Program(child, addresses, performance.now() - startedMs);
  }

  /** Answers the exit code. */
  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<number | null> {
    const exited = new Promise<number | null>((done) => this.#child.once('exit', done));
    this.#child.kill(signal);
    return exited;
  }

  /** Calls the API with the bench's key; throws on any status but 200. */
  async call(method: string, path: string, body?: unknown): Promise<unknown> {
    const answer = await fetch(this.addresses.api + path, {
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 300)}`);
    return JSON.parse(text);
  }
}

/** Ids of the tenant's sources by kind. */
export type SourceIds = ReadonlyMap<string, string>;

export async function sourceIdsOf(program: Program): Promise<SourceIds> {
  const { data } = (await program.call('GET', '/api/v2/sources')) as { data: { id: string; kind: string }[] };
  return new Map(data.map(({ kind, id }) => [kind, id]));
}

const benchTeam = {
  teams: [
    {
      name: 'Bench',
      users: [{ email: 'bench@example.com', apiKeys: [{ name: 'bench', key: apiKey }] }],
      ingestionKeys: [{ name: 'bench', key: ingestionKey }],
    },
  ],
};

const baseEnv = {
  SIGNALBOX_API_PORT: '0',
  SIGNALBOX_WEB_PORT: '0',
  SIGNALBOX_OTLP_GRPC_PORT: '0',
  SIGNALBOX_OTLP_HTTP_PORT: '0',
  SIGNALBOX_SELF_TELEMETRY: '0',
  SIGNALBOX_RATE_LIMIT_PER_MINUTE: '0',
  SIGNALBOX_LOG_LEVEL: 'warn',
};

function readyAddresses(child: ChildProcess): Promise<Addresses> {
  return new Promise((done, fail) => {
    child.once('exit', (code) => fail(new Error(`the program exited with ${code} before it was ready`)));
    if (!child.stdout) return fail(new Error('no stdout'));
    createInterface({ input: child.stdout }).on('line', (line) => {
      const event = JSON.parse(line) as { msg: string; addresses: Addresses };
      if (event.msg === 'ready') done(event.addresses);
    });
  });
}

/** Runs `work` with a temporary folder, removed afterwards. */
export async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-bench-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
