import type { IdentityRepository } from '../../access/identity-repository.ts';
import { type Invitation, invitationSealContext } from '../../access/invitation.ts';
import { hashCredential } from '../../access/key-secret.ts';
import type { SecretBox } from '../../access/secret-box.ts';
import { AppError } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Ids } from '../../kernel/ids.ts';

export interface InvitationServiceDeps {
  identities: IdentityRepository;
  secrets: SecretBox;
  /** Start of the links. */
  publicUrl: string;
  clock: Clock;
  ids: Ids;
}

/** An invitation and its link. */
export interface InvitationLink extends Invitation {
  url: string;
}

const validMs = 7 * 24 * 3_600_000;
/** 256 bits. */
const tokenBytes = 32;

/** Invitations to a team: links that work once, for one email address, for seven days. */
export class InvitationService {
  readonly #deps: InvitationServiceDeps;

  constructor(deps: InvitationServiceDeps) {
    this.#deps = deps;
  }

  /** The ones that still work, by creation. */
  async list(tenantId: string): Promise<InvitationLink[]> {
    const nowMs = this.#deps.clock.nowMs();
    const all = await this.#deps.identities.listInvitations(tenantId);
    return all.filter(({ expiresAtMs }) => nowMs < expiresAtMs).map((invitation) => this.#withLink(invitation));
  }

  /**
   * Invites an address; asking again gives the same link, as long as it works.
   * @throws {AppError} `request_invalid` when the address belongs to a member, `conflict`
   */
  invite(tenantId: string, { email, name }: { email: string; name?: string }): Promise<InvitationLink> {
    const known = email.toLowerCase();
    const { identities, clock } = this.#deps;
    return identities.transaction(async (store) => {
      // Must not reveal whether other teams know the address.
      if ((await store.findUserByEmail(known))?.tenantId === tenantId) {
        throw new AppError('request_invalid', { public: 'email: already belongs to a member of this team.' });
      }
      const all = await store.listInvitations(tenantId);
      const earlier = all.find((invitation) => invitation.email === known);
      if (earlier && clock.nowMs() < earlier.expiresAtMs) return this.#withLink(earlier);
      if (all.length >= limits.invitations) {
        throw new AppError('conflict', { public: `There are already ${limits.invitations} invitations.` });
      }
      const made = this.#make(earlier?.id, { tenantId, email: known, ...(name === undefined ? {} : { name }) });
      await store.saveInvitation(made);
      return this.#withLink(made);
    });
  }

  /** The link stops working. @throws {AppError} `invitation_not_found`, also for another team's */
  async remove(tenantId: string, id: string): Promise<void> {
    const outcome = await this.#deps.identities.removeInvitation(tenantId, id);
    if (outcome === 'missing') throw new AppError('invitation_not_found');
  }

  #make(id: string | undefined, person: Pick<Invitation, 'tenantId' | 'email' | 'name'>): Invitation {
    const { ids, secrets, clock } = this.#deps;
    const token = ids.secret(tokenBytes);
    const nowMs = clock.nowMs();
    return {
      ...person,
      id: id ?? ids.hex24(),
      hash: hashCredential(token),
      sealedToken: secrets.seal(token, invitationSealContext(person)),
      createdAtMs: nowMs,
      expiresAtMs: nowMs + validMs,
    };
  }

  #withLink(invitation: Invitation): InvitationLink {
    const token = this.#deps.secrets.open(invitation.sealedToken, invitationSealContext(invitation));
    return { ...invitation, url: `${this.#deps.publicUrl}/join?token=${token}` };
  }
}
