import { type Command, InvalidArgumentError } from 'commander';
import { AppError } from '../../contract/errors.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { StoredPipe } from '../../resources/pipes/pipe.ts';
import type { PipeCommand } from '../../resources/pipes/pipe-transitions.ts';
import { presentStatus } from '../../resources/pipes/present-status.ts';
import { readPipesFile } from '../provisioning/read-pipes.ts';
import { print } from './command-deps.ts';
import { CommandError } from './command-error.ts';
import { findPipe } from './find-pipe.ts';
import { formatStatus } from './format-pipe.ts';
import { stateOf, type WaitOrder, type WatchedPipe, waitForPipe } from './pipe-wait.ts';
import { type PipeCommandDeps, type PipeOptions, withPipes } from './with-pipes.ts';

export interface PipeRunDeps {
  clock: Clock;
  /** Progress, beside the answer. */
  writeProgress(text: string): void;
  exitWith(code: number): void;
}

interface WaitOptions extends PipeOptions {
  wait?: boolean;
  untilCompleted?: boolean;
  timeout?: number;
}

type Deps = PipeCommandDeps & PipeRunDeps;

const lateCode = 3;
const timeoutSeconds = 600;
const timeoutSecondsMax = 7 * 86_400;

const exitCodes = `
Exit codes after waiting: 0 when it is done; 1 when the pipe ended in another state, for
instance Failed, with its reason; 3 when the time is over and the pipe is still on its way.`;

const untilCompletedText = 'wait until everything is read, of a pipe that ends then';
const startExamples = `

Examples:
  signalbox pipes start orders --wait
  signalbox pipes start import --until-completed --timeout 3600`;

/** `status`, `start`, `stop`, `resync`, `wait` and `check` of `signalbox pipes`. */
export function registerPipeRunCommands(command: (name: string, description: string) => Command, deps: Deps): void {
  command('status', 'show how one pipe is doing: state, reason, totals, lag, and the latest changes of state')
    .argument('<pipe>', 'id or name')
    .addHelpText('after', '\nExample:\n  signalbox pipes status orders --json | jq -r .state')
    .action((pipe: string, options: PipeOptions) => showStatus(deps, pipe, options));
  startCommand(command('start', 'start one pipe; it continues where it was'), 'start', deps).addHelpText(
    'after',
    `${exitCodes}${startExamples}`,
  );
  waitCommand(command('stop', 'stop one pipe once the batches under way are written'), 'stop', deps).addHelpText(
    'after',
    `${exitCodes}\n\nExample:\n  signalbox pipes stop orders --wait`,
  );
  startCommand(
    command('resync', 'read everything of one pipe of a database again; its positions are forgotten'),
    'resync',
    deps,
  ).addHelpText('after', `${exitCodes}\n\nExample:\n  signalbox pipes resync customers --wait`);
  withTimeout(command('wait', 'wait until one pipe runs that was applied or started, and print its changes of state'))
    .option('--until-completed', untilCompletedText)
    .addHelpText(
      'after',
      `${exitCodes}\n\nExample:\n  signalbox pipes apply orders.yaml && signalbox pipes wait orders`,
    )
    .action((pipe: string, options: WaitOptions) => waitAlone(deps, pipe, options));
  command('check', 'test the connection to a source from this machine, and list what it has; nothing is stored')
    .argument('<file>', 'YAML or JSON with `source`, as for apply; the rest of the pipe may be absent')
    .addHelpText(
      'after',
      '\nExit codes: 0 when the source can be read, else 1.\n\nExample:\n  signalbox pipes check pipe.json',
    )
    .action((file: string, options: PipeOptions) => checkSource(deps, file, options));
}

function startCommand(made: Command, name: PipeCommand, deps: Deps): Command {
  return waitCommand(made, name, deps).option('--until-completed', untilCompletedText);
}

function waitCommand(made: Command, name: PipeCommand, deps: Deps): Command {
  return withTimeout(made)
    .option('--wait', 'wait until it is done, and print the changes of state meanwhile')
    .action((pipe: string, options: WaitOptions) => commandPipe(deps, { pipe, name, options }));
}

function withTimeout(made: Command): Command {
  return made
    .argument('<pipe>', 'id or name')
    .option('--timeout <seconds>', `how long to wait at most (default: ${timeoutSeconds})`, secondsOf);
}

function secondsOf(text: string): number {
  const seconds = Number(text);
  if (/^\d+$/.test(text) && seconds <= timeoutSecondsMax) return seconds;
  throw new InvalidArgumentError(`must be a whole number of seconds, at most ${timeoutSecondsMax}.`);
}

function showStatus(deps: Deps, idOrName: string, options: PipeOptions): Promise<void> {
  return withPipes(deps, options, async ({ pipes, lifecycle }, serviceId) => {
    const { id } = await findPipe(pipes, serviceId, idOrName);
    printStatus(deps, options, await lifecycle.status(serviceId, id));
  });
}

function printStatus(deps: Deps, options: PipeOptions, { pipe, changes }: WatchedPipe): void {
  const json = { id: pipe.id, name: pipe.fields.name, ...presentStatus(pipe, changes) };
  print(deps, options, { json, text: formatStatus(json) });
}

interface Commanded {
  pipe: string;
  name: PipeCommand;
  options: WaitOptions;
}

async function commandPipe(deps: Deps, { pipe: idOrName, name, options }: Commanded): Promise<void> {
  const { wait = false, untilCompleted = false, timeout } = options;
  const waits = wait || untilCompleted;
  if (timeout !== undefined && !waits) throw new CommandError('--timeout has a meaning only with --wait.');
  return withPipes(deps, options, async ({ pipes, lifecycle }, serviceId) => {
    const { id } = await findPipe(pipes, serviceId, idOrName);
    const read = () => lifecycle.status(serviceId, id);
    const { changes: known } = await read();
    const commanded = await orSentence(lifecycle.command(serviceId, id, name));
    if (!waits) return printState(deps, options, commanded);
    await awaitPipe(deps, { name, options, read, known });
  });
}

function waitAlone(deps: Deps, idOrName: string, options: WaitOptions): Promise<void> {
  return withPipes(deps, options, async ({ pipes, lifecycle }, serviceId) => {
    const { id } = await findPipe(pipes, serviceId, idOrName);
    const read = () => lifecycle.status(serviceId, id);
    await awaitPipe(deps, { name: 'start', options, read, known: (await read()).changes });
  });
}

interface AwaitedPipe extends Omit<Commanded, 'pipe'>, Pick<WaitOrder, 'read' | 'known'> {}

async function awaitPipe(deps: Deps, { name, options, read, known }: AwaitedPipe): Promise<void> {
  const { untilCompleted = false, timeout = timeoutSeconds } = options;
  const { clock, writeProgress: onProgress } = deps;
  const order = { read, command: name, untilCompleted, known, timeoutMs: timeout * 1_000, clock, onProgress };
  const { ending, ...watched } = await orSentence(waitForPipe(order));
  if (options.json) printStatus(deps, options, watched);
  else printState(deps, options, watched.pipe);
  if (ending === 'missed') throw new CommandError(missedText(watched.pipe));
  if (ending === 'reached') return;
  onProgress(`${lateText(watched.pipe, timeout)}\n`);
  deps.exitWith(lateCode);
}

function printState(deps: Deps, options: PipeOptions, pipe: StoredPipe): void {
  const { name } = pipe.fields;
  const state = stateOf(pipe);
  print(deps, options, { json: { id: pipe.id, name, state }, text: `${name} (${pipe.id}): ${state}\n` });
}

function missedText({ fields, run }: StoredPipe): string {
  const reason = run?.reason;
  return `The pipe ${fields.name} is ${run?.state ?? fields.state}${reason === undefined ? '.' : `: ${reason}`}`;
}

function lateText(pipe: StoredPipe, seconds: number): string {
  const reason = pipe.run?.reason;
  const because = reason === undefined ? 'Does a process with the role pipes run?' : reason;
  return `The pipe ${pipe.fields.name} is still ${stateOf(pipe)} after ${seconds} s. ${because}`;
}

function checkSource(deps: Deps, file: string, options: PipeOptions): Promise<void> {
  return withPipes(deps, options, async ({ lifecycle }, serviceId) => {
    const { entries } = await readPipesFile(file, deps.lookupEnv);
    const [first, ...others] = entries;
    if (!first || others.length > 0) throw new CommandError(`The file ${file} must describe one pipe.`);
    const checked = await orSentence(lifecycle.check(serviceId, first.entry));
    const listed = checked.names?.map((name) => `  ${name}\n`).join('') ?? '';
    const text = checked.ok ? 'The source can be read.' : (checked.message ?? 'The source can’t be read.');
    print(deps, options, { json: checked, text: `${text}\n${listed}` });
    if (!checked.ok) deps.exitWith(1);
  });
}

/** What the caller did wrong, as a sentence at the terminal. */
async function orSentence<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    const isOurs = error instanceof AppError && ['conflict', 'request_invalid', 'pipe_not_found'].includes(error.code);
    throw isOurs ? new CommandError(error.publicText.replace(/^Body validation failed: /, '')) : error;
  });
}
