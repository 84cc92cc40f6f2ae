import { loadConfig } from '../config/config.ts';
import type { Environment } from '../config/variables.ts';
import type { Logger } from '../kernel/logger.ts';
import { banner } from './banner.ts';
import { type FirstKeys, writeFirstKeys } from './bootstrap.ts';
import { createPinoLogger } from './pino-logger.ts';
import { type App, startApp } from './start-app.ts';
import { toStartError } from './start-error.ts';
import type { Surroundings } from './surroundings.ts';

/** The stop is forced after this; the interface promises ten seconds. */
const stopWithinMs = 9_500;

/** Serves until SIGTERM or SIGINT; answers the exit code. */
export async function serve(surroundings: Surroundings, options: { roles?: string }): Promise<number> {
  const { environment, stdout } = surroundings;
  // For what must be printed whatever the log level: ready, and why a start failed.
  const eventLogger = createPinoLogger('info', stdout);
  try {
    const merged: Environment =
      options.roles === undefined ? environment : { ...environment, SIGNALBOX_ROLES: options.roles };
    const config = loadConfig(merged);
    // On a terminal people read the banner; of the log they see what needs them.
    const logger = createPinoLogger(stdout.isTTY ? atLeastWarn(config.logLevel) : config.logLevel, stdout);
    const told: { keys?: FirstKeys } = {};
    const app = await startApp({
      config,
      logger,
      lookupEnv: (name) => environment[name],
      tellFirstKeys: async (keys) => {
        if (stdout.isTTY) told.keys = keys;
        else await writeFirstKeys(config.dataFolder, keys);
      },
    });
    if (stdout.isTTY) stdout.write(banner(app.addresses, told.keys));
    else eventLogger.info({ addresses: app.addresses }, 'ready');
    await stopSignal();
    return await stopWithin(app, logger);
  } catch (error) {
    const startError = toStartError(error);
    if (!startError) throw error;
    if (stdout.isTTY) surroundings.stderr.write(`${startError.message}\n`);
    else eventLogger.error({ cause: startError.cause }, startError.message);
    return 2;
  }
}

function atLeastWarn(level: string): string {
  return level === 'error' ? 'error' : 'warn';
}

function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGTERM', () => resolve());
    process.once('SIGINT', () => resolve());
  });
}

async function stopWithin(app: App, logger: Logger): Promise<number> {
  const deadline = new Promise<number>((resolve) => {
    setTimeout(() => {
      logger.error({}, 'the stop took too long and was cut short');
      resolve(1);
    }, stopWithinMs).unref();
  });
  return Promise.race([app.stop().then(() => 0), deadline]);
}
