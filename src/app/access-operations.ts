import type { IdentityRepository } from '../access/identity-repository.ts';
import { KeyService } from '../access/key-service.ts';
import { OrganizationService } from '../access/organization-service.ts';
import type { SecretBox } from '../access/secret-box.ts';
import type { TelemetryConfig } from '../config/telemetry-config.ts';
import type { Operation } from '../http/operation.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Ids } from '../kernel/ids.ts';
import type { MetadataStore } from '../metadata/open-metadata.ts';
import { KeyRing } from '../resources/keys/key-ring.ts';
import { keyOperations } from '../resources/keys/operations/key-operations.ts';
import { organizationOperations } from '../resources/organizations/operations/organization-operations.ts';
import { OrganizationConsole } from '../resources/organizations/organization-console.ts';
import { InvitationService } from '../resources/team/invitation-service.ts';
import { teamOperations } from '../resources/team/operations/team-operations.ts';
import { TeamService } from '../resources/team/team-service.ts';
import { identityTransactions } from './identity-transactions.ts';

export interface AccessDeps {
  metadata: Pick<MetadataStore, 'transaction'> & { identities: IdentityRepository };
  /** Database of the first tenant, and for how long telemetry is kept. */
  telemetry: Pick<TelemetryConfig, 'firstDatabase' | 'retentionDays'>;
  secrets: SecretBox;
  /** Start of the links in invitations. */
  publicUrl: string;
  clock: Clock;
  ids: Ids;
}

/** The operations on teams, keys and organizations: who may come in. */
export function accessOperations({ metadata, telemetry, secrets, publicUrl, clock, ids }: AccessDeps): Operation[] {
  const { identities } = metadata;
  const { firstDatabase, retentionDays } = telemetry;
  const transactions = identityTransactions({ metadata, ids, clock });
  const organizations = new OrganizationService({ identities, transactions, firstDatabase, ids, clock });
  const keys = new KeyService(identities, { ids, clock });
  const { logs: logsDays, traces: tracesDays, metrics: metricsDays } = retentionDays;
  return [
    ...teamOperations(
      new TeamService(identities),
      new InvitationService({ identities, secrets, publicUrl, clock, ids }),
      { logsDays, tracesDays, metricsDays },
    ),
    ...keyOperations(new KeyRing({ store: identities, keys, organizations, clock })),
    ...organizationOperations(new OrganizationConsole({ identities, organizations })),
  ];
}
