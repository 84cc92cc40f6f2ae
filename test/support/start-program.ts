import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { inject } from 'vitest';

export const personalKey = '0123456789abcdef0123456789abcdef01234567';
export const ingestionKey = 'ingest-0123456789abcdef0123456789abcdef';

export interface ProgramAddresses {
  api: string;
  web: string;
  otlpGrpc: string;
  otlpHttp: string;
  ops?: string;
}

export interface ProgramOptions {
  env?: Record<string, string>;
  /** The provisioning file's content; the team Acme with one user and both known keys when absent; null = none. */
  provisioning?: object | null;
  /** An existing data folder; otherwise a new one that `stop` removes. */
  dataDir?: string;
}

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** The program in a separate process, as a user runs it. */
export interface RunningProgram {
  addresses: ProgramAddresses;
  dataDir: string;
  /** Everything it has printed so far. */
  output(): string;
  /** One API call with the personal key; `body` is sent as JSON. */
  call(
    method: string,
    path: string,
    body?: unknown,
    key?: string,
  ): Promise<{ status: number; json: unknown; headers: Headers }>;
  kill(signal: NodeJS.Signals): Promise<Exit>;
  /** SIGTERM, then the folder is removed if it was made here. */
  stop(): Promise<Exit>;
}

export const acme = {
  teams: [
    {
      name: 'Acme',
      users: [
        { email: 'ada@example.com', password: 'correct-horse-battery', apiKeys: [{ name: 'ci', key: personalKey }] },
      ],
      ingestionKeys: [{ name: 'default', key: ingestionKey }],
    },
  ],
};

const quiet = {
  SIGNALBOX_API_PORT: '0',
  SIGNALBOX_WEB_PORT: '0',
  SIGNALBOX_OTLP_GRPC_PORT: '0',
  SIGNALBOX_OTLP_HTTP_PORT: '0',
  SIGNALBOX_SELF_TELEMETRY: '0',
  SIGNALBOX_RATE_LIMIT_PER_MINUTE: '0',
  SIGNALBOX_WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
  // Far more than on the busiest machine: no test is about time.
  SIGNALBOX_SHUTDOWN_TIMEOUT_MS: '120000',
};

/** Starts and waits for the ready line; throws with the output when the program exits before. */
export async function startProgram(options: ProgramOptions = {}): Promise<RunningProgram> {
  const launched = launchProgram(options);
  const addresses = await launched.ready;
  const exited = launched.exited;
  return {
    addresses,
    dataDir: launched.dataDir,
    output: launched.output,
    call: (method, path, body, key = personalKey) => call(addresses.api, method, path, body, key),
    async kill(signal) {
      launched.child.kill(signal);
      return exited;
    },
    async stop() {
      launched.child.kill('SIGTERM');
      const exit = await exited;
      if (!options.dataDir) rmSync(launched.dataDir, { recursive: true, force: true });
      return exit;
    },
  };
}

export interface LaunchedProgram {
  child: ChildProcess;
  dataDir: string;
  ready: Promise<ProgramAddresses>;
  exited: Promise<Exit>;
  output: () => string;
}

/** Those that a failed test has not stopped must not outlive it. */
const launched = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of launched) child.kill('SIGKILL');
});

/** Starts without waiting, for tests of a start that must fail. */
export function launchProgram(options: ProgramOptions = {}): LaunchedProgram {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'signalbox-e2e-'));
  const provisioning = options.provisioning === undefined ? acme : options.provisioning;
  const child = spawn('node', [join(inject('programFolder'), 'main.js'), 'serve'], {
    env: { ...inheritedEnv(), ...quiet, SIGNALBOX_DATA_DIR: dataDir, ...provisioningEnv(provisioning), ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  launched.add(child);
  child.once('exit', () => launched.delete(child));
  let printed = '';
  child.stderr.on('data', (chunk: Buffer) => {
    printed += chunk.toString();
  });
  const exited = new Promise<Exit>((done) => child.once('close', (code, signal) => done({ code, signal })));
  const ready = new Promise<ProgramAddresses>((done, fail) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      printed += `${line}\n`;
      const event = parseLine(line);
      if (event?.msg === 'ready') done(event.addresses);
    });
    void exited.then(({ code }) => fail(new Error(`exit code ${code} before ready:\n${printed}`)));
  });
  ready.catch(() => {});
  return { child, dataDir, ready, exited, output: () => printed };
}

/** What the program inherits from the environment, without Signalbox's own variables. */
function inheritedEnv(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('SIGNALBOX_')));
}

function provisioningEnv(provisioning: object | null): Record<string, string> {
  if (!provisioning) return {};
  const file = join(mkdtempSync(join(tmpdir(), 'signalbox-provisioning-')), 'provisioning.json');
  writeFileSync(file, JSON.stringify(provisioning));
  return { SIGNALBOX_PROVISIONING: file };
}

function parseLine(line: string): { msg: string; addresses: ProgramAddresses } | undefined {
  try {
    return JSON.parse(line) as { msg: string; addresses: ProgramAddresses };
  } catch {
    return undefined;
  }
}

async function call(origin: string, method: string, path: string, body: unknown, key: string) {
  const answer = await fetch(origin + path, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, json: (await answer.json()) as unknown, headers: answer.headers };
}
