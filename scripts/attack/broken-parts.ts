import pg from 'pg';
import { apiKey, ingestionKey, Program } from '../../bench/program.ts';
import { openSocket } from '../../test/attack/target.ts';
import { FaultyProxy, type ProxyFault } from '../../test/support/faulty-proxy.ts';
import { startPostgresServer } from '../../test/support/postgres-server.ts';
import { type Latency, measure } from './measure.ts';

/** What was seen while a part was broken. */
export interface Broken {
  name: string;
  /** How often each status was answered; 0 = the connection was closed without an answer. */
  answers: ReadonlyMap<number, number>;
  slowestS: number;
  health?: Latency;
  afterwards: string;
}

const proxyFaults: readonly ProxyFault[] = ['reset', 'half-open', 'frozen', 'slow', 'refused'];
const rounds = 4;
const roundMs = 500;
const recoveryMs = 30_000;

interface Breaking {
  folder: string;
  env: Record<string, string>;
  bareUrl: string;
}

/** The program over a PostgreSQL that fails in one way after the other. */
export async function breakPostgres({ folder, env, bareUrl }: Breaking): Promise<Broken[]> {
  const server = await startPostgresServer();
  const url = new URL(server.url);
  const proxy = new FaultyProxy({ host: url.hostname, port: Number(url.port) });
  await proxy.listen();
  url.port = String(proxy.port);
  const secretKey = 'attack-0123456789abcdef0123456789abcdef0123';
  const own = { ...env, SIGNALBOX_POSTGRES_URL: url.href, SIGNALBOX_SECRET_KEY: secretKey };
  const program = await Program.start(folder, own);
  const mend = () => proxy.set('none');
  // Stays connected, so that it can revert the change of its password.
  const admin = new pg.Client({ connectionString: server.url });
  await admin.connect();
  const setPassword = (password: string) => admin.query(`alter role postgres password '${password}'`);
  const faults: readonly Fault[] = [
    ...proxyFaults.map((fault) => ({ name: fault, breakIt: () => proxy.set(fault), mend })),
    {
      name: 'authentication changed',
      breakIt: async () => {
        await setPassword('another');
        await proxy.set('reset');
      },
      mend: async () => {
        await setPassword(url.password);
        await mend();
      },
    },
  ];
  try {
    const seen: Broken[] = [];
    for (const fault of faults) seen.push(await breakOnce({ program, bareUrl }, fault));
    return seen;
  } finally {
    await program.stop();
    await proxy.close();
    await admin.end();
    await server.stop();
  }
}

interface Fault {
  name: string;
  breakIt: () => Promise<void>;
  mend: () => Promise<void>;
}

interface BrokenWorld {
  program: Program;
  bareUrl: string;
}

async function breakOnce({ program, bareUrl }: BrokenWorld, fault: Fault): Promise<Broken> {
  const load = new Load(program);
  const [, usage] = await measure(
    { pid: program.pid, healthUrl: `${program.addresses.api}/health`, bareUrl },
    async () => {
      const before = load.round();
      await fault.breakIt();
      for (let round = 0; round < rounds; round += 1) {
        await Promise.all([load.round(), new Promise((done) => setTimeout(done, roundMs))]);
      }
      await before;
    },
  );
  await fault.mend();
  const seen = { answers: new Map(load.answers), slowestS: load.slowestMs / 1000 };
  const backMs = await timeUntil(async () => (await load.round()).every((status) => status === 200));
  const afterwards = backMs === undefined ? `not back within ${recoveryMs / 1000} s` : `back in ${seconds(backMs)}`;
  return { name: `PostgreSQL: ${fault.name}`, ...seen, health: usage.health, afterwards };
}

/** Everything that needs the metadata store. */
class Load {
  readonly answers = new Map<number, number>();
  slowestMs = 0;
  readonly #addresses: Program['addresses'];

  constructor({ addresses }: Program) {
    this.#addresses = addresses;
  }

  /** Answers the statuses. */
  round(): Promise<number[]> {
    const { api, otlpHttp } = this.#addresses;
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
    const dashboard = JSON.stringify({ name: 'x', tiles: [] });
    const record = { timeUnixNano: `${Date.now()}000000`, body: { stringValue: 'x' } };
    const logs = JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords: [record] }] }] });
    return Promise.all([
      this.#ask(`${api}/api/v2/dashboards`, { headers }),
      this.#ask(`${api}/api/v2/dashboards`, { method: 'POST', headers, body: dashboard }),
      this.#ask(`${api}/api/v2/alerts`, { headers }),
      this.#ask(`${otlpHttp}/v1/logs`, {
        method: 'POST',
        headers: { ...headers, authorization: ingestionKey },
        body: logs,
      }),
    ]);
  }

  async #ask(url: string, init: RequestInit): Promise<number> {
    const startedMs = performance.now();
    const status = await fetch(url, { ...init, signal: AbortSignal.timeout(recoveryMs) })
      .then(async (answer) => {
        await answer.arrayBuffer();
        return answer.status;
      })
      .catch(() => 0);
    this.slowestMs = Math.max(this.slowestMs, performance.now() - startedMs);
    this.answers.set(status, (this.answers.get(status) ?? 0) + 1);
    return status;
  }
}

async function timeUntil(isSo: () => Promise<boolean>): Promise<number | undefined> {
  const startedMs = performance.now();
  while (performance.now() - startedMs < recoveryMs) {
    if (await isSo()) return performance.now() - startedMs;
  }
  return undefined;
}

const idlePerPort = 50;
const unfinished = [
  '',
  'GET /hea',
  'GET /health HTTP/1.1\r\nHost: x\r\n\r\n',
  'POST /v1/logs HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{',
];

/** SIGTERM while connections of every kind are open on every port. */
export async function endWithConnections(folder: string, env: Record<string, string>): Promise<Broken> {
  const program = await Program.start(folder, env);
  const sockets = [];
  for (const origin of Object.values(program.addresses)) {
    for (let count = 0; count < idlePerPort; count += 1) {
      sockets.push(await openSocket(origin, unfinished[count % unfinished.length] ?? ''));
    }
  }
  const answers = new Map<number, number>();
  // The program waits only if `/ready` is being watched.
  await fetch(`${program.addresses.api}/ready`);
  const startedMs = performance.now();
  const ended = program.stop();
  // A connection accepted while the port closes gets no response; afterwards no server is left.
  while (!answers.has(0)) {
    const status = await fetch(`${program.addresses.api}/ready`).then(
      (answer) => answer.status,
      () => 0,
    );
    answers.set(status, (answers.get(status) ?? 0) + 1);
  }
  const code = await ended;
  const slowestS = (performance.now() - startedMs) / 1000;
  for (const socket of sockets) socket.destroy();
  return {
    name: `SIGTERM with ${sockets.length} connections open`,
    answers,
    slowestS,
    afterwards: `exit code ${code}`,
  };
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

/** The observations, as shown in the docs. */
export function brokenTable(seen: readonly Broken[]): string {
  const rows = seen.map(({ name, answers, slowestS, health, afterwards }) => {
    const statuses = [...answers].sort(([one], [other]) => one - other);
    const reported = statuses.map(([status, times]) => `${times} × ${status || 'closed'}`).join(', ');
    const latency = health ? `${health.p99Ms.toFixed(0)}, ${health.worstMs.toFixed(0)}` : '';
    return `| ${name} | ${reported} | ${slowestS.toFixed(1)} | ${latency} | ${afterwards} |`;
  });
  return [
    '| what breaks | answers meanwhile | slowest (s) | `/health` p99, worst (ms) | afterwards |',
    '|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}
