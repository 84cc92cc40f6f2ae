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
 * Creates alerts of the team as if a user had done so from `madeAtMs` on, a millisecond each. The API never does: its
 * alerts evaluate nothing from before their creation. The evaluator then catches up on those windows (decisions A5).
 */
export async function makePastAlerts(
  environment: Environment,
  { team, madeAtMs, alerts }: { team: string; madeAtMs: number; alerts: readonly AlertInput[] },
): Promise<void> {
  const store = await openMetadataStore(loadConfig(environment), silentLogger);
  try {
    const tenant = await store.identities.findTeamByName(team);
    if (!tenant) throw new Error(`The store has no team ${team}.`);
    let nowMs = madeAtMs;
    const clock: Clock = { ...systemClock, nowMs: () => nowMs };
    const service = new AlertService({ alerts: store.alerts, ids: randomIds, clock });
    for (const alert of alerts) {
      await service.create(tenant.id, alert);
      nowMs++;
    }
  } finally {
    await store.close();
  }
}
