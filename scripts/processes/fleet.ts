import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Program } from '../../bench/program.ts';
import { pause } from '../cluster/exporter.ts';

const restartAfterMs = 1_000;

/** A process with some roles, which is started again after it was killed. */
class Member {
  readonly #folder = mkdtempSync(join(tmpdir(), 'signalbox-member-'));
  readonly #env: Record<string, string>;
  program: Program | undefined;

  constructor(env: Record<string, string>) {
    this.#env = env;
  }

  async start(): Promise<void> {
    this.program = await Program.start(this.#folder, this.#env);
  }

  async killAndStart(): Promise<void> {
    const killed = this.program;
    this.program = undefined;
    await killed?.stop('SIGKILL');
    await pause(restartAfterMs);
    await this.start();
  }

  async remove(): Promise<void> {
    await this.program?.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Three processes that serve the API and collect, and two that evaluate alerts. */
export class Fleet {
  readonly #serving: readonly Member[];
  readonly #evaluating: readonly Member[];

  private constructor(env: Record<string, string>) {
    const members = (count: number, roles: string) =>
      Array.from({ length: count }, () => new Member({ ...env, SIGNALBOX_ROLES: roles }));
    this.#serving = members(3, 'api,collector');
    this.#evaluating = members(2, 'evaluator');
  }

  /** `env` names the servers that all of them share. */
  static async start(env: Record<string, string>): Promise<Fleet> {
    const fleet = new Fleet(env);
    for (const member of fleet.#members) await member.start();
    return fleet;
  }

  get size(): number {
    return this.#members.length;
  }

  /** Base URLs of the processes that run. */
  addresses(of: 'api' | 'otlpHttp'): string[] {
    return this.#serving.flatMap(({ program }) => program?.addresses[of] ?? []);
  }

  /** Resolves when the process that took the place of the killed one is ready. */
  async killAndStart(index: number): Promise<void> {
    await this.#members[index % this.size]?.killAndStart();
  }

  async stop(): Promise<void> {
    await Promise.all(this.#members.map((member) => member.remove()));
  }

  get #members(): readonly Member[] {
    return [...this.#serving, ...this.#evaluating];
  }
}
