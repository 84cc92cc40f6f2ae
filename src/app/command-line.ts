import { resolve } from 'node:path';
import { Command, CommanderError } from 'commander';
import { takeBox } from '../access/seal-check.ts';
import { TenantCache } from '../access/tenant-cache.ts';
import { loadConfig } from '../config/config.ts';
import { systemClock } from '../kernel/clock.ts';
import { randomIds } from '../kernel/ids.ts';
import { silentLogger } from '../kernel/logger.ts';
import { SsrfGuard } from '../notify/target-guard.ts';
import { knownNames } from '../resources/dashboards/import/known-names.ts';
import { backUp } from './backup/back-up.ts';
import { runningEngine } from './backup/open-engine.ts';
import { progressLines } from './backup/progress.ts';
import { restore } from './backup/restore.ts';
import { registerBackupCommands } from './cli/backup-commands.ts';
import type { CommandStore } from './cli/command-deps.ts';
import { CommandError } from './cli/command-error.ts';
import { type DashboardStore, registerDashboardCommands } from './cli/dashboard-commands.ts';
import { registerDoctorCommand } from './cli/doctor-command.ts';
import { registerIdentityCommands } from './cli/identity-commands.ts';
import { registerPipeCommands } from './cli/pipe-commands.ts';
import { readPassword } from './cli/read-password.ts';
import { registerSecretKeyCommands } from './cli/secret-key-commands.ts';
import type { PipeStore } from './cli/with-pipes.ts';
import { dashboardImports } from './dashboard-imports.ts';
import { runDoctor } from './doctor/run-doctor.ts';
import { identityTransactions, inIdentityTransaction } from './identity-transactions.ts';
import { openMetadataStore } from './metadata-store.ts';
import { openConnectors } from './pipe-connectors.ts';
import { pipeLifecycle, pipeService } from './pipe-service.ts';
import type { ProcessContext } from './process-context.ts';
import { type RotationResult, rotateSecretKey } from './rotate-secret-key.ts';
import { boxOf, givenSecretKeys, secretKeysOf } from './secret-key-of.ts';
import { serve } from './serve.ts';
import { toStartError } from './start-error.ts';
import { stopSignalFrom } from './stop-signal.ts';
import { programVersion } from './version.ts';

/** Runs one command of the program; answers the exit code: 0 fine, 1 failed, 2 wrong use or setting. */
export async function runCommandLine(argv: readonly string[], context: ProcessContext): Promise<number> {
  const outcome = { code: 0 };
  const program = buildProgram(context, outcome);
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return outcome.code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    const sentence = error instanceof CommandError ? error.message : toStartError(error)?.message;
    if (sentence === undefined) throw error;
    context.stderr.write(`${sentence}\n`);
    return error instanceof CommandError ? 1 : 2;
  }
}

function buildProgram(context: ProcessContext, outcome: { code: number }): Command {
  const program = new Command('signalbox')
    .description('Dashboards, alerts, charts and a collector for OpenTelemetry data.')
    .version(programVersion)
    .exitOverride();
  program
    .command('serve')
    .description('serve the API, the collector, the evaluator and the web UI')
    .option('--roles <list>', 'comma-separated list of api, collector, evaluator, web (default: all)')
    .action(async (options: { roles?: string }) => {
      outcome.code = await serve(context, options);
    });
  registerIdentityCommands(program, {
    open: () => openCommandStore(context),
    ids: randomIds,
    clock: systemClock,
    write: (text) => void context.stdout.write(text),
    readPassword: (prompt) => readPassword(prompt, { input: context.stdin, output: context.stderr }),
  });
  registerPipeCommands(program, {
    open: () => openPipeStore(context),
    write: (text) => void context.stdout.write(text),
    lookupEnv: (name) => context.environment[name],
    clock: systemClock,
    writeProgress: (text) => void context.stderr.write(text),
    exitWith: (code) => {
      outcome.code = code;
    },
  });
  registerDashboardCommands(program, {
    open: () => openDashboardStore(context),
    write: (text) => void context.stdout.write(text),
  });
  registerDoctorCommand(program, {
    examine: () =>
      runDoctor({ environment: context.environment, uid: process.getuid?.(), clock: systemClock, ids: randomIds }),
    write: (text) => void context.stdout.write(text),
    exitWith: (code) => {
      outcome.code = code;
    },
  });
  registerBackupCommands(program, {
    backUp: (folder, only) => backUp(folder, only, backupDeps(context)),
    restore: (folder, options) => restore(folder, options, backupDeps(context)),
    write: (text) => void context.stdout.write(text),
  });
  registerSecretKeyCommands(program, {
    takeSecretKey: () => takeSecretKey(context),
    rotateSecretKey: () => rotateStoredSecrets(context),
    write: (text) => void context.stdout.write(text),
  });
  return program;
}

function backupDeps({ environment, stderr }: ProcessContext) {
  const progress = progressLines((line) => void stderr.write(line));
  const stopSignal = stopSignalFrom(process);
  return { config: loadConfig(environment), clock: systemClock, ids: randomIds, progress, stopSignal };
}

async function openCommandStore({ environment }: ProcessContext): Promise<CommandStore> {
  const config = loadConfig(environment);
  const metadata = await openMetadataStore(config, silentLogger);
  // A store that gets its first tenant here has its key from then on.
  await secretKeysOf(config, metadata);
  return {
    identities: metadata.identities,
    webhooks: metadata.webhooks,
    transactions: identityTransactions({ metadata, ids: randomIds, clock: systemClock }),
    firstDatabase: config.telemetry.firstDatabase,
    close: () => metadata.close(),
  };
}

async function takeSecretKey({ environment }: ProcessContext): Promise<void> {
  const config = loadConfig(environment);
  const metadata = await openMetadataStore(config, silentLogger);
  try {
    await takeBox(boxOf(await givenSecretKeys(config, metadata)), metadata.secretKeySeal);
  } finally {
    await metadata.close();
  }
}

async function rotateStoredSecrets({ environment }: ProcessContext): Promise<RotationResult> {
  const config = loadConfig(environment);
  const metadata = await openMetadataStore(config, silentLogger);
  const isRunning = async () => {
    const engine = await runningEngine(resolve(config.dataFolder), { clock: systemClock, ids: randomIds });
    await engine?.close();
    return engine !== undefined;
  };
  try {
    return await rotateSecretKey({ config, metadata, ids: randomIds, isRunning });
  } finally {
    await metadata.close();
  }
}

async function openDashboardStore({ environment }: ProcessContext): Promise<DashboardStore> {
  const metadata = await openMetadataStore(loadConfig(environment), silentLogger);
  return {
    identities: metadata.identities,
    dashboards: metadata.dashboards,
    imports: dashboardImports(metadata, randomIds, systemClock),
    names: (tenantId) => knownNames(metadata, tenantId),
    close: () => metadata.close(),
  };
}

async function openPipeStore({ environment }: ProcessContext): Promise<PipeStore> {
  const config = loadConfig(environment);
  const metadata = await openMetadataStore(config, silentLogger);
  const secrets = boxOf(await secretKeysOf(config, metadata));
  const { connectors, close } = openConnectors(config, new SsrfGuard(config.webhookAllowedHosts), systemClock);
  const parts = { pipes: metadata.pipes, runs: metadata.pipeRuns, secrets, clock: systemClock };
  const tenants = new TenantCache(metadata.identities, systemClock);
  // Timers of ours do not keep the process alive, and some commands wait.
  const heartbeat = setInterval(() => {}, 60_000);
  return {
    identities: metadata.identities,
    pipes: pipeService(parts),
    lifecycle: pipeLifecycle({ ...parts, connectors, tenants, ids: randomIds, logger: silentLogger }),
    transaction: (work) =>
      inIdentityTransaction(metadata, ({ pipes, pipeRuns: runs }) => work(pipeService({ ...parts, pipes, runs }))),
    close: async () => {
      clearInterval(heartbeat);
      await close();
      await metadata.close();
    },
  };
}
