import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type FoundTool, lastLine, pythonWith } from './interop-cache.ts';

const run = promisify(execFile);
const requirement = 'clickhousectl==0.5.0';

/** Installs the client from PyPI into a virtual environment, once. */
export async function findCloudCli(): Promise<FoundTool> {
  const python = await pythonWith('cloud-cli', [requirement]);
  if (python.kind === 'missing') return python;
  const file = join(dirname(python.file), 'clickhousectl');
  try {
    await run(file, ['--version']);
    return { kind: 'found', file };
  } catch (error) {
    return { kind: 'missing', reason: `${requirement} can't be started: ${lastLine(error)}` };
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
