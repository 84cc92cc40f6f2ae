import { Random } from '../../test/query/brute-force/random.ts';
import { type PostgresServer, startPostgresServer } from '../../test/support/postgres-server.ts';
import { Exporter, type Load, pause } from '../cluster/exporter.ts';
import { assess, type Outcome } from '../cluster/stored-batches.ts';
import type { TestCluster } from '../cluster/test-cluster.ts';
import { AlertDrive, type AlertOutcome } from './alert-drive.ts';
import { ApiClient } from './api-client.ts';
import { Balancer } from './balancer.ts';
import { Editors } from './editors.ts';
import { Fleet } from './fleet.ts';

/** Inserted alone, and therefore stored once whatever is killed. */
const large: Load = { sizes: [8_000], senders: 2, pauseMs: 1_500 };
const small: Load = { sizes: [20, 20, 300], senders: 4, pauseMs: 500 };
const killEveryMs = 20_000;
const minuteMs = 60_000;
/** Of the whole run. */
const postgresRestartsAt = [1 / 3, 2 / 3];

export interface Ingested extends Outcome {
  requests: number;
  resent: number;
  /** Failed twice or more before they were acknowledged. */
  failedTwice: number;
  givenUp: number;
}

export interface DisturbedOutcome {
  minutes: number;
  kills: number;
  postgresRestarts: number;
  large: Ingested;
  small: Ingested;
  alerts: AlertOutcome;
  calls: number;
  callsRetried: number;
  edits: number;
  lostEdits: number;
  failures: readonly string[];
}

/** Kills one process every 20 s and restarts PostgreSQL twice, while data, edits and alerts go on. */
export async function disturb(
  cluster: TestCluster,
  { minutes, seed }: { minutes: number; seed: number },
): Promise<DisturbedOutcome> {
  const random = new Random(seed);
  const postgres = await startPostgresServer();
  const fleet = await Fleet.start({
    SIGNALBOX_POSTGRES_URL: postgres.url,
    SIGNALBOX_CLICKHOUSE_URL: cluster.urls.join(),
    SIGNALBOX_CLICKHOUSE_CLUSTER: cluster.name,
    SIGNALBOX_SECRET_KEY: 'processes-0123456789abcdef0123456789abcdef',
    SIGNALBOX_WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
  });
  const apiPort = new Balancer(() => fleet.addresses('api'));
  const otlpPort = new Balancer(() => fleet.addresses('otlpHttp'));
  await Promise.all([apiPort.start(), otlpPort.start()]);
  const api = new ApiClient(apiPort.url);
  const otlp = () => otlpPort.url;
  const exporters = { large: new Exporter(otlp, large), small: new Exporter(otlp, small) };
  const editors = new Editors(api);
  const alerts = new AlertDrive({ api, otlp, random });
  await editors.start();
  await alerts.start();
  for (const [phase, exporter] of Object.entries(exporters)) exporter.start(phase);
  const { kills, restarts } = await killInTurn({ fleet, postgres, minutes, random });
  for (const exporter of Object.values(exporters)) await exporter.stop();
  await editors.stop();
  const heard = await alerts.stop();
  const stored = await ingestedBy(cluster, exporters);
  await fleet.stop();
  for (const balancer of [apiPort, otlpPort]) balancer.stop();
  await postgres.stop();
  return {
    ...{ minutes, kills, postgresRestarts: restarts, ...stored, alerts: heard },
    ...{ calls: api.calls, callsRetried: api.retried, failures: api.failures },
    ...{ edits: editors.edits, lostEdits: editors.lostEdits },
  };
}

interface KillDeps {
  fleet: Fleet;
  postgres: PostgresServer;
  minutes: number;
  random: Random;
}

async function killInTurn({ fleet, postgres, minutes, random }: KillDeps) {
  const startedMs = Date.now();
  const total = Math.floor((minutes * minuteMs) / killEveryMs);
  const restartBefore = new Set(postgresRestartsAt.map((part) => Math.floor(total * part)));
  let restarts = 0;
  for (let kill = 0; kill < total; kill += 1) {
    await pause(startedMs + (kill + 0.5) * killEveryMs - Date.now());
    if (restartBefore.has(kill)) {
      console.log(`${new Date().toISOString()}: PostgreSQL restarts`);
      await postgres.restart();
      restarts += 1;
    }
    await pause(startedMs + (kill + 1) * killEveryMs - Date.now());
    const victim = random.int(0, fleet.size - 1);
    console.log(`${new Date().toISOString()}: kill ${kill + 1} of ${total}, process ${victim + 1}`);
    await fleet.killAndStart(victim);
  }
  await pause(killEveryMs);
  return { kills: total, restarts };
}

type BySize<T> = Record<'large' | 'small', T>;

async function ingestedBy(cluster: TestCluster, exporters: BySize<Exporter>): Promise<BySize<Ingested>> {
  const client = cluster.openClient();
  const of = async ({ batches }: Exporter): Promise<Ingested> => {
    const sent = [...batches.values()];
    return {
      ...(await assess(client, batches)),
      requests: sent.length,
      resent: sent.filter(({ attempts }) => attempts > 1).length,
      failedTwice: sent.filter(({ attempts }) => attempts > 2).length,
      givenUp: sent.filter(({ answeredMs }) => answeredMs === undefined).length,
    };
  };
  const outcome = { large: await of(exporters.large), small: await of(exporters.small) };
  await client.close();
  return outcome;
}
