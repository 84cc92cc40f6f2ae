import type { Clock } from '../../kernel/clock.ts';
import type { Ids } from '../../kernel/ids.ts';
import type { ProvisioningScope } from './provisioning-ports.ts';

/** What one run of provisioning carries along. */
export interface ProvisioningRun {
  ids: Ids;
  clock: Clock;
  /** Telemetry database of the first tenant (decisions S2). */
  firstDatabase: string;
  scope: ProvisioningScope;
  /** Sentences for the log about what was stored and will not work as it is. */
  warnings: string[];
}
