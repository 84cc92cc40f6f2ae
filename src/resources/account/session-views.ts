import type { AccountHome } from '../../access/account-home.ts';
import type { IdentityStore } from '../../access/identity-repository.ts';
import type { Session } from '../../access/session.ts';
import type { SessionView } from '../../contract/session.ts';

export interface SessionViewsDeps {
  identities: IdentityStore;
  home: AccountHome;
  flavour: SessionView['flavour'];
  version: string;
}

/** What the web UI asks first: who is logged in, and is registration open. */
export class SessionViews {
  readonly #deps: SessionViewsDeps;

  constructor(deps: SessionViewsDeps) {
    this.#deps = deps;
  }

  async view(session: Session | undefined): Promise<SessionView> {
    const { home, identities, flavour, version } = this.#deps;
    const account = session?.account;
    const [team, organizations, isOpen] = await Promise.all([
      this.#team(account?.tenantId),
      this.#organizations(account?.organizationId),
      // A logged-in user has a password, so registration is closed.
      account ? false : home.isRegistrationOpen(identities),
    ]);
    const registration = isOpen ? 'open' : 'closed';
    return { user: userOf(session), team, organizations, registration, flavour, version };
  }

  /** Name of the team that an invitation leads to. */
  async teamName(tenantId: string): Promise<string> {
    return (await this.#deps.identities.findTenant(tenantId))?.name ?? '';
  }

  async #team(tenantId: string | undefined): Promise<SessionView['team']> {
    const team = tenantId === undefined ? undefined : await this.#deps.identities.findTenant(tenantId);
    return team ? { id: team.id, name: team.name } : null;
  }

  async #organizations(id: string | undefined): Promise<SessionView['organizations']> {
    const organization = id === undefined ? undefined : await this.#deps.identities.findOrganization(id);
    return organization ? [{ id: organization.id, name: organization.name }] : [];
  }
}

function userOf(session: Session | undefined): SessionView['user'] {
  if (!session) return null;
  const { id, email, name } = session.account;
  return { id, email, ...(name === undefined ? {} : { name }) };
}
