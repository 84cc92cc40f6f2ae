import type { AccountHome } from '../access/account-home.ts';
import type { IdentityRepository } from '../access/identity-repository.ts';
import { OrganizationAccounts } from '../access/organization-accounts.ts';
import { SessionService } from '../access/session-service.ts';
import { TeamAccounts } from '../access/team-accounts.ts';
import type { FlavourName, Operation } from '../http/operation.ts';
import { RateLimiter } from '../http/rate-limiter.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Ids } from '../kernel/ids.ts';
import { AccountService } from '../resources/account/account-service.ts';
import { accountOperations } from '../resources/account/operations/account-operations.ts';
import { SessionViews } from '../resources/account/session-views.ts';
import { programVersion } from './version.ts';

export interface WebAccountsDeps {
  identities: IdentityRepository;
  flavour: FlavourName;
  clock: Clock;
  ids: Ids;
}

/** Log-ins of people: what the web port adds to the API. */
export interface WebAccounts {
  operations: Operation[];
  sessions: SessionService;
}

const quarterHourMs = 15 * 60_000;
const attemptsPerEmail = { requests: 10, windowMs: quarterHourMs };
const attemptsPerAddress = { requests: 100, windowMs: quarterHourMs };

export function createWebAccounts(deps: WebAccountsDeps): WebAccounts {
  const { identities, clock, ids } = deps;
  const home: AccountHome =
    deps.flavour === 'managed' ? new OrganizationAccounts({ clock, ids }) : new TeamAccounts({ clock, ids });
  const sessions = new SessionService({ identities, home, clock, ids });
  const attempts = {
    perEmail: new RateLimiter(attemptsPerEmail, clock),
    perAddress: new RateLimiter(attemptsPerAddress, clock),
  };
  const accounts = new AccountService({ identities, home, sessions, attempts, clock, ids });
  const flavour = deps.flavour === 'managed' ? 'managed' : 'self-hosted';
  const views = new SessionViews({ identities, home, flavour, version: programVersion });
  return { operations: accountOperations(accounts, views), sessions };
}
