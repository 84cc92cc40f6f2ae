import { existsSync } from 'node:fs';
import { BackupError } from '../../backup/backup-error.ts';
import type { Config } from '../../config/config.ts';
import { EngineStartError } from '../../engine/supervisor.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Ids } from '../../kernel/ids.ts';
import { ClickHouseClient } from '../../telemetry/clickhouse-client.ts';
import { type Endpoint, parseEndpoints, RoundRobinEndpoints } from '../../telemetry/endpoints.ts';
import { inspectTelemetry, type TelemetryInspection } from '../../telemetry/inspect-telemetry.ts';
import { TelemetryError } from '../../telemetry/ports.ts';
import { openEngine } from '../backup/open-engine.ts';
import { engineFolder } from '../embedded-engine.ts';
import { toStartError } from '../start-error.ts';
import { type Finding, findingsOf } from './finding.ts';

export interface TelemetryCheckDeps {
  config: Config;
  /** Absolute. */
  dataFolder: string;
  clock: Clock;
  ids: Ids;
}

export interface TelemetryCheck {
  findings: Finding[];
  /** By host, what the clocks of the servers show. */
  clocks: Readonly<Record<string, number>>;
}

/** The embedded engine, by way of the program that runs on it or opened here, or each of the servers. */
export async function checkTelemetry(deps: TelemetryCheckDeps): Promise<TelemetryCheck> {
  const urls = deps.config.secrets.clickhouseUrls;
  if (!urls) return { findings: await checkEmbedded(deps), clocks: {} };
  const endpoints = urls.flatMap((url) => parseEndpoints(url.reveal()));
  const checks = await Promise.all(endpoints.map((endpoint) => checkServer(endpoint, deps)));
  return {
    findings: checks.flatMap(({ findings }) => findings),
    clocks: Object.assign({}, ...checks.map(({ clocks }) => clocks)),
  };
}

async function checkEmbedded({ config, dataFolder, ...deps }: TelemetryCheckDeps): Promise<Finding[]> {
  const finding = findingsOf('telemetry store');
  if (!existsSync(engineFolder(dataFolder))) return [finding.ok('There is none yet; the first start makes it.')];
  try {
    const engine = await openEngine(dataFolder, deps);
    try {
      const { firstDatabase: database } = config.telemetry;
      const inspection = await inspectTelemetry(engine.client, { database, hasUsers: false });
      const how = engine.isShared ? 'of the running program answers' : 'opens its data';
      return [finding.ok(`The embedded engine ${how} (ClickHouse ${inspection.version}).`), ...problemsOf(inspection)];
    } finally {
      await engine.close();
    }
  } catch (error) {
    const isKnown =
      error instanceof BackupError || error instanceof EngineStartError || error instanceof TelemetryError;
    if (!isKnown) throw error;
    const { message } = toStartError(error) ?? error;
    return [finding.error(message, 'See docs/operations.md, "When something fails".')];
  }
}

async function checkServer(endpoint: Endpoint, deps: TelemetryCheckDeps): Promise<TelemetryCheck> {
  const { host } = new URL(endpoint.url);
  const finding = findingsOf('telemetry store');
  const { store, firstDatabase: database } = deps.config.telemetry;
  const cluster = store.kind === 'server' ? store.cluster : undefined;
  const { clock, ids } = deps;
  const client = new ClickHouseClient({
    endpoints: new RoundRobinEndpoints([endpoint]),
    clock,
    ids,
    restartWaitMs: 0,
  });
  try {
    const inspection = await inspectTelemetry(client, { database, cluster, hasUsers: true });
    const answers = finding.ok(`${host} answers (ClickHouse ${inspection.version}).`);
    return { findings: [answers, ...problemsOf(inspection, host)], clocks: { [host]: inspection.nowMs } };
  } catch (error) {
    if (!(error instanceof TelemetryError)) throw error;
    const reason = error.kind === 'unavailable' ? 'cannot be reached' : 'rejects the user, or is no ClickHouse server';
    const advice = 'Check SIGNALBOX_CLICKHOUSE_URL and the network; the program waits for servers that are away.';
    return { findings: [finding.error(`${host} ${reason}.`, advice)], clocks: {} };
  } finally {
    await client.close();
  }
}

/** What of a store that answers needs attention. */
export function problemsOf(inspection: TelemetryInspection, host = 'the engine'): Finding[] {
  const finding = findingsOf('telemetry store');
  const { detachedParts, failedMutations, readonlyReplicas, replicasBehind, missingRights, cluster } = inspection;
  const { fixedSettings } = inspection;
  const named = (tables: readonly string[]) => `${tables.slice(0, 5).join(', ')}${tables.length > 5 ? ', …' : ''}`;
  const problems: Finding[] = [];
  if (detachedParts > 0) {
    const message = `Parts of ${host} are detached (${detachedParts}); their rows are missing from every answer.`;
    problems.push(finding.warning(message, 'Restore a backup, or look at system.detached_parts.'));
  }
  if (failedMutations.length > 0) {
    const message = `Mutations fail on ${host}: ${named(failedMutations)}.`;
    problems.push(finding.warning(message, 'Look at latest_fail_reason in system.mutations.'));
  }
  if (readonlyReplicas.length > 0) {
    const message = `Replicas on ${host} take no writes: ${named(readonlyReplicas)}.`;
    problems.push(finding.error(message, 'Check Keeper; SYSTEM RESTORE REPLICA if its data are lost.'));
  }
  if (replicasBehind.length > 0) {
    const message = `Replicas on ${host} are more than a minute behind: ${named(replicasBehind)}.`;
    problems.push(finding.warning(message, 'Look at system.replication_queue.'));
  }
  if (missingRights && missingRights.length > 0) {
    const message = `The user lacks rights on ${host}: ${missingRights.join(', ')}.`;
    problems.push(finding.error(message, 'Grant them on the databases of the tenants.'));
  }
  if (fixedSettings.length > 0) {
    const message = `The user may not change settings of inserts on ${host}: ${fixedSettings.join(', ')}.`;
    problems.push(finding.error(message, 'Take them out of the constraints of its profile; readonly has to be 0.'));
  }
  if (cluster?.replicas === 0) {
    problems.push(finding.error(`${host} knows no cluster of this name.`, 'Correct SIGNALBOX_CLICKHOUSE_CLUSTER.'));
  }
  return problems;
}
