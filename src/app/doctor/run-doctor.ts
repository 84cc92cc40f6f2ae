import { resolve } from 'node:path';
import { type Config, loadConfig } from '../../config/config.ts';
import { ConfigError } from '../../config/config-error.ts';
import type { Environment } from '../../config/variables.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Ids } from '../../kernel/ids.ts';
import { toStartError } from '../start-error.ts';
import { askProgram, presentProgram } from './ask-program.ts';
import { checkPublicUrl, checkTls } from './check-addresses.ts';
import { checkClock } from './check-clock.ts';
import { checkDataFolder } from './check-data-folder.ts';
import { checkMetadata, type MetadataCheck } from './check-metadata.ts';
import { checkOpenFileLimit } from './check-open-files.ts';
import { checkPorts } from './check-ports.ts';
import { checkTelemetry, type TelemetryCheck } from './check-telemetry.ts';
import { type Finding, findingsOf } from './finding.ts';

export interface DoctorDeps {
  environment: Environment;
  uid?: number | undefined;
  clock: Clock;
  ids: Ids;
}

/** Looks at everything that the program needs, beside a running program or without one, and changes nothing. */
export async function runDoctor({ environment, uid, clock, ids }: DoctorDeps): Promise<Finding[]> {
  const config = readConfig(environment);
  const finding = findingsOf('configuration');
  if (!('secrets' in config)) return [finding.error(config.message, 'Correct it; nothing else was checked.')];
  const dataFolder = resolve(config.dataFolder);
  const report = await askProgram(config);
  const stores = config.roles.size === 1 && config.roles.has('web') ? undefined : { config, dataFolder };
  const metadata = stores && (await tolerantly('metadata store', () => checkMetadata(config)));
  const telemetry = stores && (await tolerantly('telemetry store', () => checkTelemetry({ ...stores, clock, ids })));
  return [
    finding.ok('All settings are valid.'),
    ...presentProgram(report),
    ...(await each('data folder', () => checkDataFolder({ folder: dataFolder, uid }))),
    ...(await each('open files', () => checkOpenFileLimit())),
    ...(metadata?.findings ?? []),
    ...(telemetry?.findings ?? []),
    ...checkClock({ nowMs: clock.nowMs(), ...clocksOf(metadata, telemetry) }),
    ...(await each('ports', () => checkPorts(config, report !== undefined))),
    ...(await each('TLS', () => checkTls(config, clock.nowMs()))),
    ...checkPublicUrl(config),
  ];
}

function readConfig(environment: Environment): Config | ConfigError {
  try {
    return loadConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
}

type Checked = Partial<MetadataCheck & TelemetryCheck> & { findings: Finding[] };

/** A check that fails is a finding, too. */
async function tolerantly(name: string, check: () => Promise<Checked>): Promise<Checked> {
  try {
    return await check();
  } catch (error) {
    const message = toStartError(error)?.message ?? 'The check itself failed.';
    return { findings: [findingsOf(name).error(message, 'See docs/operations.md, "When something fails".')] };
  }
}

async function each(name: string, check: () => Promise<Finding[]>): Promise<Finding[]> {
  return (await tolerantly(name, async () => ({ findings: await check() }))).findings;
}

function clocksOf(metadata: Checked | undefined, telemetry: Checked | undefined) {
  const postgres = metadata?.inspection?.serverNowMs;
  return {
    servers: { ...telemetry?.clocks, ...(postgres === undefined ? {} : { PostgreSQL: postgres }) },
    lastChangeMs: metadata?.inspection?.lastMigrationMs,
  };
}
