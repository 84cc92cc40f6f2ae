import { existsSync } from 'node:fs';
import { SecretBox } from '../../access/secret-box.ts';
import type { Config } from '../../config/config.ts';
import { findSecretKey } from '../../config/secret-key.ts';
import { silentLogger } from '../../kernel/logger.ts';
import { inspectStore, type StoreInspection } from '../../metadata/inspect-store.ts';
import { CommittingDatabase } from '../../metadata/metadata-database.ts';
import { openStoreAt } from '../../metadata/open-metadata.ts';
import { type Repositories, repositoriesOver } from '../../metadata/repositories.ts';
import { SsrfGuard } from '../../notify/target-guard.ts';
import { metadataLocationOf } from '../metadata-store.ts';
import { checkSecretKey } from './check-secret-key.ts';
import { checkWebhookGuard, type WebhookAddress } from './check-webhook-guard.ts';
import { type Finding, findingsOf } from './finding.ts';

export interface MetadataCheck {
  findings: Finding[];
  inspection?: StoreInspection;
}

/** The metadata store, and what only it knows: whether the secret key opens its secrets, where its webhooks lead. */
export async function checkMetadata(config: Config): Promise<MetadataCheck> {
  const finding = findingsOf('metadata store');
  const location = metadataLocationOf(config);
  if (location.kind === 'embedded' && !existsSync(location.file)) {
    return { findings: [finding.ok('There is none yet; the first start makes it.')] };
  }
  const store = await openStoreAt(location, silentLogger);
  try {
    const inspection = await inspectStore(store);
    const schema = presentSchema(inspection);
    if (schema.level !== 'ok' || inspection.isEmpty) return { findings: [schema], inspection };
    const repositories = repositoriesOver(new CommittingDatabase(store));
    const secretKey = config.secrets.secretKey ?? (await findSecretKey(config.dataFolder));
    const key = await checkSecretKey({
      box: secretKey && new SecretBox(secretKey.reveal(), config.secrets.previousSecretKey?.reveal()),
      ...repositories,
    });
    const { webhookAllowedHosts: allowedHosts } = config;
    const guard = new SsrfGuard(allowedHosts);
    const webhooks = await checkWebhookGuard({ allowedHosts, guard, webhooks: await listWebhooks(repositories) });
    return { findings: [schema, ...key, ...webhooks], inspection };
  } finally {
    await store.close();
  }
}

function presentSchema({ isEmpty, schema: { pending, unknown } }: StoreInspection): Finding {
  const finding = findingsOf('metadata store');
  if (isEmpty) return finding.ok('It is reachable and empty; the first start makes its tables.');
  if (unknown.length > 0) {
    return finding.error(
      `A newer version of Signalbox has changed it (${unknown.join(', ')}).`,
      'Start that version, or restore a backup of this one.',
    );
  }
  if (pending.length === 0) return finding.ok('It is reachable, and its schema is that of this version.');
  return finding.warning(
    `Its schema is of an older version (pending migrations: ${pending.length}).`,
    'Make a backup; the next start of this version applies them.',
  );
}

const webhooksMax = 200;

async function listWebhooks({ identities, webhooks }: Repositories): Promise<WebhookAddress[]> {
  const listed: WebhookAddress[] = [];
  for (const { id, name: tenant } of await identities.listTenants()) {
    const { webhooks: page } = await webhooks.list(id, { limit: webhooksMax, offset: 0 });
    for (const { name, url } of page) if (url !== undefined) listed.push({ tenant, name, url });
  }
  return listed;
}
