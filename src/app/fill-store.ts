import type { SecretBox } from '../access/secret-box.ts';
import type { Config } from '../config/config.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Ids } from '../kernel/ids.ts';
import type { Logger } from '../kernel/logger.ts';
import type { MetadataStore } from '../metadata/open-metadata.ts';
import type { TargetGuard } from '../resources/webhooks/target-guard-port.ts';
import { bootstrapStore, type FirstKeys } from './bootstrap.ts';
import { identityTransactions } from './identity-transactions.ts';
import { applyProvisioning } from './provisioning/apply-provisioning.ts';
import { provisioningStore } from './provisioning/provisioning-store.ts';
import { readProvisioningFile } from './provisioning/read-provisioning.ts';

export interface FillDeps {
  config: Config;
  metadata: MetadataStore;
  secrets: SecretBox;
  guard: TargetGuard;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  lookupEnv: (name: string) => string | undefined;
  publishFirstKeys: (keys: FirstKeys) => Promise<void>;
}

/** Applies the provisioning file, then makes the first team of a self-hosted store that has none (decisions S1). */
export async function fillStore(deps: FillDeps): Promise<void> {
  const { config, metadata, secrets, guard, clock, ids, logger } = deps;
  const { firstDatabase } = config.telemetry;
  if (config.provisioningFile !== undefined) {
    const read = await readProvisioningFile(config.provisioningFile, deps.lookupEnv);
    const store = provisioningStore({ metadata, secrets, ids, clock });
    const means = { store, targets: guard, ids, clock, firstDatabase };
    for (const warning of await applyProvisioning(read, config.flavour, means))
      logger.warn({ warning }, 'provisioning');
  }
  if (config.flavour !== 'selfHosted') return;
  const store = identityTransactions({ metadata, ids, clock });
  await bootstrapStore({ store, ids, clock, firstDatabase, publish: deps.publishFirstKeys });
}
