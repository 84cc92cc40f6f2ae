import type { IdentityRepository } from '../access/identity-repository.ts';
import type { ConnectionRepository } from '../resources/connections/connection-repository.ts';
import type { DashboardRepository } from '../resources/dashboards/dashboard-repository.ts';
import type { SourceRepository } from '../resources/sources/source-repository.ts';
import type { WebhookRepository } from '../resources/webhooks/webhook-repository.ts';
import { SqlConnectionRepository } from './connection-repository.ts';
import { SqlDashboardRepository } from './dashboard-repository.ts';
import { SqlIdentityRepository } from './identity-repository.ts';
import type { MetadataDatabase } from './metadata-database.ts';
import { SqlSourceRepository } from './source-repository.ts';
import { SqlWebhookRepository } from './webhook-repository.ts';

/** Every port that the metadata store implements. */
export interface Repositories {
  readonly identities: IdentityRepository;
  readonly dashboards: DashboardRepository;
  readonly connections: ConnectionRepository;
  readonly sources: SourceRepository;
  readonly webhooks: WebhookRepository;
}

export function repositoriesOver(database: MetadataDatabase): Repositories {
  return {
    identities: new SqlIdentityRepository(database),
    dashboards: new SqlDashboardRepository(database),
    connections: new SqlConnectionRepository(database),
    sources: new SqlSourceRepository(database),
    webhooks: new SqlWebhookRepository(database),
  };
}
