import { OrganizationService } from '../../access/organization-service.ts';
import type { CommandDeps, CommandStore } from './command-deps.ts';

/** The service over the store that a command has opened. */
export function organizationServiceOf(
  { identities, transactions, firstDatabase }: CommandStore,
  { ids, clock }: CommandDeps,
): OrganizationService {
  return new OrganizationService({ identities, transactions, firstDatabase, ids, clock });
}
