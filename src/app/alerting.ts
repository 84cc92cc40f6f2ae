import type { Registry } from 'prom-client';
import type { SecretBox } from '../access/secret-box.ts';
import type { TenantDirectory } from '../access/tenants.ts';
import type { AlertingConfig } from '../config/alerting-config.ts';
import type { ProxyConfig } from '../config/proxy-config.ts';
import { batchNames, batchReads, batchReleases, batchWrites } from '../evaluator/batching.ts';
import { ClockWatch } from '../evaluator/clock-set-back.ts';
import { AlertEvaluator } from '../evaluator/evaluate-alert.ts';
import type { SampleEvents, TilesReader } from '../evaluator/ports.ts';
import { RecordPruner } from '../evaluator/record-pruner.ts';
import { EvaluationScheduler } from '../evaluator/scheduler.ts';
import type { CleanupStack } from '../kernel/cleanup-stack.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Ids } from '../kernel/ids.ts';
import type { Logger } from '../kernel/logger.ts';
import type { Tracer } from '../kernel/tracer.ts';
import type { Workers } from '../kernel/workers.ts';
import type { Repositories } from '../metadata/repositories.ts';
import { MessageDelivery } from '../notify/deliver-message.ts';
import { guardedAgent } from '../notify/guarded-agent.ts';
import { MessageRenderer } from '../notify/message-renderer.ts';
import { NotificationPipeline } from '../notify/pipeline.ts';
import { ProxyRoutes } from '../notify/proxy-routes.ts';
import type { SsrfGuard } from '../notify/target-guard.ts';
import { WebhookMentions } from '../notify/webhook-mentions.ts';
import { WebhookSender } from '../notify/webhook-sender.ts';
import { deletedKeptMs, versionsKeptMs } from '../resources/dashboards/dashboard-history.ts';
import { SilenceMuting, type SilenceMutingDeps } from '../resources/silences/silence-muting.ts';
import { deliveryInstruments, evaluationInstruments } from './metrics/alerting-instruments.ts';

export interface AlertingDeps {
  repositories: Pick<
    Repositories,
    | 'evaluations'
    | 'farAlerts'
    | 'tileNames'
    | 'alertLeases'
    | 'outbox'
    | 'webhooks'
    | 'oldRecords'
    | 'oldDeletedDashboards'
    | 'oldDashboardVersions'
  > &
    SilenceMutingDeps;
  metrics: Registry;
  tracer: Tracer;
  reader: TilesReader;
  samples: SampleEvents;
  guard: SsrfGuard;
  secrets: SecretBox;
  workers: Workers;
  publicUrl: string;
  tenants: Pick<TenantDirectory, 'find'>;
  settings: AlertingConfig;
  proxies: ProxyConfig;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  cleanup: CleanupStack;
}

export interface Alerting {
  wake(): void;
}

/** With the look for leases left behind within one minute, the shortest interval: then another takes over (U-38). */
export const leaseMs = 50_000;
/** An alert under way costs memory only: what it reads and writes is shared with others and waits in a queue. */
const evaluationsMax = 20_000;
const claimMax = 10_000;
/** For looking up the webhook before a try, and for recording it afterwards, also in a busy store. */
const claimMarginMs = 30_000;
/** A message under way is a waiting connection: so many that a hundred receivers that hang leave room for others (U-43). */
const sendsMax = 500;
const sendsPerWebhookMax = 4;
const connectTimeoutMs = 10_000;
const dayMs = 24 * 60 * 60_000;

/** The evaluator role: evaluates due alerts, delivers what the outbox holds, and removes what is old. */
export function startAlerting(deps: AlertingDeps): Alerting {
  const renderer = new MessageRenderer(deps);
  const pipeline = startPipeline(deps, renderer);
  const scheduler = startScheduler(deps, renderer, () => pipeline.wake());
  const pruners = startPruners(deps);
  // Stopped in reverse: no new messages first, then the deliveries under way.
  deps.cleanup.push('notification pipeline', () => pipeline.stop());
  deps.cleanup.push('alert scheduler', () => scheduler.stop());
  deps.cleanup.push('removal of old records', async () => {
    await Promise.all(pruners.map((pruner) => pruner.stop()));
  });
  return { wake: () => scheduler.wake() };
}

function startScheduler(deps: AlertingDeps, renderer: MessageRenderer, onEvaluated: () => void): EvaluationScheduler {
  const { repositories, reader, samples, clock, ids, logger } = deps;
  const { delayMs } = deps.settings;
  const evaluator = new AlertEvaluator({
    reader: batchReads(reader),
    names: batchNames(repositories.tileNames),
    mentions: new WebhookMentions(repositories.webhooks, renderer),
    muting: new SilenceMuting(repositories),
    samples,
    writer: batchWrites(repositories.evaluations),
    clock,
    logger,
    delayMs,
    readBudgetMs: 35_000,
    leaseMs,
    tracer: deps.tracer,
    metrics: evaluationInstruments(deps.metrics),
  });
  const scheduler = new EvaluationScheduler({
    leases: batchReleases(repositories.alertLeases),
    evaluator,
    clockWatch: new ClockWatch({ alerts: repositories.farAlerts, clock, logger, leaseMs }),
    clock,
    logger,
    owner: ids.uuid(),
    delayMs,
    leaseMs,
    concurrency: evaluationsMax,
    claimMax,
    idlePollMs: 5_000,
    onEvaluated,
  });
  scheduler.start();
  return scheduler;
}

function startPipeline(deps: AlertingDeps, renderer: MessageRenderer): NotificationPipeline {
  const { repositories, guard, secrets, settings, clock, ids, logger, cleanup } = deps;
  const { outbox, webhooks } = repositories;
  const { sendTimeoutMs, firstRetryMs } = settings;
  const dispatcher = guardedAgent(guard, connectTimeoutMs);
  const proxies = new ProxyRoutes(deps.proxies, guard, connectTimeoutMs);
  cleanup.push('webhook connections', () => dispatcher.destroy());
  cleanup.push('webhook connections through proxies', () => proxies.destroy());
  const sender = new WebhookSender({ dispatcher, proxies, clock, timeoutMs: sendTimeoutMs, tracer: deps.tracer });
  const delivery = new MessageDelivery({
    webhooks,
    box: secrets,
    sender,
    outbox,
    clock,
    logger,
    renderer,
    firstRetryMs,
    random: Math.random,
    metrics: deliveryInstruments(deps.metrics),
  });
  const pipeline = new NotificationPipeline({
    outbox,
    delivery,
    clock,
    ids,
    logger,
    concurrency: sendsMax,
    perWebhookMax: sendsPerWebhookMax,
    claimMs: sendTimeoutMs + claimMarginMs,
    idlePollMs: 1_000,
    graceMs: 2_000,
  });
  pipeline.start();
  return pipeline;
}

function startPruners({ repositories, settings, clock, logger }: AlertingDeps): RecordPruner[] {
  const kinds = [
    { records: repositories.oldRecords, keepMs: settings.logDays * dayMs, batchRows: 500 },
    // They may have megabytes each.
    { records: repositories.oldDeletedDashboards, keepMs: deletedKeptMs, batchRows: 20 },
    { records: repositories.oldDashboardVersions, keepMs: versionsKeptMs, batchRows: 50 },
  ];
  const pruners = kinds.map((kind) => new RecordPruner({ ...kind, clock, logger, everyMs: 600_000 }));
  for (const pruner of pruners) pruner.start();
  return pruners;
}
