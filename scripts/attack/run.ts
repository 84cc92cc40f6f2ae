import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { apiKey, ingestionKey, Program, withFolder } from '../../bench/program.ts';
import { allAttacks, resolverOption } from '../../test/attack/all-attacks.ts';
import { type Attack, isRightAnswer } from '../../test/attack/attack.ts';
import type { Target } from '../../test/attack/target.ts';
import { breakPostgres, brokenTable, endWithConnections } from './broken-parts.ts';
import { type Measured, measure, startBareServer, type Usage } from './measure.ts';
import { attackTable, withFigures } from './report.ts';

const report = resolve(import.meta.dirname, '../../docs/reliability.md');
/** The heap that all of it has to fit into. */
const env = {
  NODE_OPTIONS: `--max-old-space-size=1024 ${resolverOption}`,
  SIGNALBOX_WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
};

export interface Outcome {
  attack: Attack;
  /** Absent: the process ended. */
  usage?: Usage;
  status: number;
  right: boolean;
}

const { values: options } = parseArgs({
  options: { only: { type: 'string' }, write: { type: 'boolean', default: false } },
});

/** Starts the program again when an attack has ended it. */
class Victim {
  #program: Program | undefined;
  readonly #folder: string;
  ended = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async program(): Promise<Program> {
    if (this.#program && isAlive(this.#program.pid)) return this.#program;
    if (this.#program) this.ended += 1;
    this.#program = await Program.start(this.#folder, env);
    return this.#program;
  }

  async stop(): Promise<void> {
    if (this.#program && isAlive(this.#program.pid)) await this.#program.stop();
  }
}

const bare = await startBareServer();
await withFolder(async (folder) => {
  const victim = new Victim(folder);
  process.once('SIGTERM', () => void victim.stop().finally(() => process.exit(1)));
  const outcomes: Outcome[] = [];
  for (const attack of allAttacks().filter(({ name }) => !options.only || name.includes(options.only))) {
    const outcome = await runOne(await victim.program(), attack);
    outcomes.push(outcome);
    console.log(lineOf(outcome));
  }
  await victim.program();
  await victim.stop();
  publish('attack', attackTable(outcomes, victim.ended));
});
if (!options.only || options.only === 'broken') await breakParts();
bare.stop();

function measuredOf({ pid, addresses }: Program): Measured {
  return { pid, healthUrl: `${addresses.api}/health`, bareUrl: bare.url };
}

async function breakParts(): Promise<void> {
  const ended = await withFolder((folder) => endWithConnections(folder, env));
  const broken = await withFolder((folder) => breakPostgres({ folder, env, bareUrl: bare.url }));
  publish('broken', brokenTable([ended, ...broken]));
}

function publish(name: string, figures: string): void {
  console.log(figures);
  if (options.write) writeFileSync(report, withFigures(readFileSync(report, 'utf8'), name, figures));
}

async function runOne(program: Program, attack: Attack): Promise<Outcome> {
  const target: Target = { addresses: program.addresses, apiKey, ingestionKey };
  try {
    const [answer, usage] = await measure(measuredOf(program), () => attack.run(target));
    return { attack, usage, status: answer.status, right: isRightAnswer(attack, answer) };
  } catch (error) {
    if (isAlive(program.pid)) throw error;
    return { attack, status: 0, right: false };
  }
}

function lineOf({ attack, usage, status, right }: Outcome): string {
  const figures = usage
    ? `${usage.cpuS.toFixed(2)} s  ${usage.extraMb.toFixed(0)} MB  p99 ${usage.health.p99Ms.toFixed(0)} ms  worst ${usage.health.worstMs.toFixed(0)} ms`
    : 'the process ended';
  return `${right ? 'ok ' : 'BAD'} ${status} ${attack.kind} ${attack.name} [${attack.wireBytes ?? '-'} B]: ${figures}`;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A process that has ended and whose parent has not looked yet is no more alive than one that is gone.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
