import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const requirement = 'clickhousectl==0.5.0';
const cache = resolve(import.meta.dirname, '../../node_modules/.cache/interop', requirement);

/** The published command line client, or why it can't be had here. */
export type FoundCli = { kind: 'found'; file: string } | { kind: 'missing'; reason: string };

/** Installs the client from PyPI into an environment of its own, once. */
export async function findCloudCli(): Promise<FoundCli> {
  const file = join(cache, 'bin', 'clickhousectl');
  try {
    if (!existsSync(file)) {
      mkdirSync(cache, { recursive: true });
      await run('python3', ['-m', 'venv', cache]);
      await run(join(cache, 'bin', 'pip'), ['install', '--quiet', '--disable-pip-version-check', requirement]);
    }
    await run(file, ['--version']);
    return { kind: 'found', file };
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    return { kind: 'missing', reason: `${requirement} can't be installed or started: ${reason}` };
  }
}

export interface CliAnswer {
  code: number;
  json: ReturnType<typeof JSON.parse>;
}

/** The client with its credentials; nothing of this machine's own settings reaches it. */
export class CloudCli {
  readonly #file: string;
  readonly #origin: string;
  readonly #env: NodeJS.ProcessEnv;

  constructor(file: string, origin: string, key: { keyId: string; keySecret: string }) {
    [this.#file, this.#origin] = [file, origin];
    this.#env = {
      PATH: process.env.PATH,
      HOME: mkdtempSync(join(tmpdir(), 'signalbox-interop-')),
      DO_NOT_TRACK: '1',
      CLICKHOUSE_CLOUD_API_KEY: key.keyId,
      CLICKHOUSE_CLOUD_API_SECRET: key.keySecret,
    };
  }

  /** Runs `cloud --json <argv>`, `body` on standard input. */
  async run(argv: readonly string[], body?: unknown): Promise<CliAnswer> {
    const started = run(this.#file, ['cloud', '--url', this.#origin, '--json', ...argv], { env: this.#env });
    started.child.stdin?.end(body === undefined ? '' : JSON.stringify(body));
    try {
      const { stdout } = await started;
      return { code: 0, json: stdout === '' ? undefined : JSON.parse(stdout) };
    } catch (error) {
      const { code, stderr } = error as { code: number; stderr: string };
      return { code, json: JSON.parse(stderr) };
    }
  }
}
