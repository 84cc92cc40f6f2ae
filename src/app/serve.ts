import { type Config, loadConfig } from '../config/config.ts';
import type { Logger } from '../kernel/logger.ts';
import { banner } from './banner.ts';
import { type FirstKeys, writeFirstKeys } from './bootstrap.ts';
import { firstUncaught, UncaughtError } from './last-resort.ts';
import { createPinoLogger } from './pino-logger.ts';
import type { ProcessContext } from './process-context.ts';
import { StandardOutput } from './standard-output.ts';
import { type App, startApp } from './start-app.ts';
import { toStartError } from './start-error.ts';
import { StartAbandoned, stopSignalFrom } from './stop-signal.ts';

/** Serves until SIGTERM or SIGINT; answers the exit code: 1 after an uncaught error. */
export async function serve(context: ProcessContext, options: { roles?: string }): Promise<number> {
  const { stdout, stderr } = context;
  const output = new StandardOutput(stdout, stderr);
  // For what must be printed whatever the log level: ready, and why a start or a run failed.
  const eventLogger = createPinoLogger('info', output);
  const uncaught = firstUncaught(process);
  const stopSignal = stopSignalFrom(process);
  const stopped = aborted(stopSignal);
  const running: { stop?: () => Promise<number> } = {};
  try {
    const saved: { keys?: FirstKeys } = {};
    const config = configOf(context, options);
    const starting = start(context, config, { output, saved, stopSignal });
    const stop = () => stopWithin(config.shutdownTimeoutMs, starting, eventLogger);
    const app = await Promise.race([starting, uncaught, stopped]);
    if (!app) return await stop();
    running.stop = stop;
    if (stdout.isTTY) output.write(banner(app.addresses, saved.keys));
    else eventLogger.info({ addresses: app.addresses }, 'ready');
    await output.confirm();
    await Promise.race([stopped, uncaught]);
    return await stop();
  } catch (error) {
    const failure = failureOf(error);
    if (stdout.isTTY || output.isBroken) stderr.write(`${failure.sentence}\n`);
    else eventLogger.error({ cause: failure.cause }, failure.sentence);
    await running.stop?.();
    return failure.code;
  }
}

function configOf({ environment }: ProcessContext, { roles }: { roles?: string }): Config {
  return loadConfig(roles === undefined ? environment : { ...environment, SIGNALBOX_ROLES: roles });
}

interface Start {
  output: StandardOutput;
  saved: { keys?: FirstKeys };
  stopSignal: AbortSignal;
}

async function start(
  { environment, stdout }: ProcessContext,
  config: Config,
  { output, saved, stopSignal }: Start,
): Promise<App> {
  // On a terminal people read the banner; of the log they see what needs them.
  const logger = createPinoLogger(stdout.isTTY ? atLeastWarn(config.logLevel) : config.logLevel, output);
  return startApp({
    config,
    logger,
    stopSignal,
    lookupEnv: (name) => environment[name],
    publishFirstKeys: async (keys) => {
      if (stdout.isTTY) saved.keys = keys;
      else await writeFirstKeys(config.dataFolder, keys);
    },
  });
}

function failureOf(error: unknown): { sentence: string; cause: unknown; code: number } {
  if (error instanceof UncaughtError) {
    return { sentence: 'the program is stopping because of an uncaught error', cause: error.cause, code: 1 };
  }
  const startError = toStartError(error);
  if (startError) return { sentence: startError.message, cause: startError.cause, code: 2 };
  return { sentence: 'the program could not start', cause: error, code: 1 };
}

function atLeastWarn(level: string): string {
  return level === 'error' ? 'error' : 'warn';
}

/** Ends the program in order; a start that has not finished is waited for first. */
async function stopWithin(timeoutMs: number, starting: Promise<App>, logger: Logger): Promise<number> {
  const deadline = new Promise<number>((resolve) => {
    setTimeout(() => {
      logger.error({}, 'the shutdown took too long and was cut short');
      resolve(1);
    }, timeoutMs).unref();
  });
  const stopping = starting.then((app) => app.stop()).catch(unlessAbandoned);
  return Promise.race([stopping.then(() => 0), deadline]);
}

function unlessAbandoned(error: unknown): void {
  if (!(error instanceof StartAbandoned)) throw error;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
