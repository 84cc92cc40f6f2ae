// Built as `demo-alert.js` beside the program: the demo's way into its store.
import { openMetadataStore } from '../../src/app/metadata-store.ts';
import { loadConfig } from '../../src/config/config.ts';
import type { Environment } from '../../src/config/variables.ts';
import type { AlertInput } from '../../src/contract/alert.ts';
import { type Clock, systemClock } from '../../src/kernel/clock.ts';
import { randomIds } from '../../src/kernel/ids.ts';
import { silentLogger } from '../../src/kernel/logger.ts';
import { AlertService } from '../../src/resources/alerts/alert-service.ts';

/**
 * Makes an alert of the team as if somebody had done so at `madeAtMs`. The API never does: its alerts judge nothing from
 * before they were made. The evaluator catches up on the windows since then (decisions A5) when it looks next.
 */
export async function makePastAlert(
  environment: Environment,
  { team, madeAtMs, alert }: { team: string; madeAtMs: number; alert: AlertInput },
): Promise<void> {
  const store = await openMetadataStore(loadConfig(environment), silentLogger);
  try {
    const tenant = await store.identities.findTeamByName(team);
    if (!tenant) throw new Error(`The store has no team ${team}.`);
    const clock: Clock = { ...systemClock, nowMs: () => madeAtMs };
    await new AlertService({ alerts: store.alerts, ids: randomIds, clock }).create(tenant.id, alert);
  } finally {
    await store.close();
  }
}
