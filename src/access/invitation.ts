/** An open invitation to a team. */
export interface Invitation {
  /** 24 hex. */
  id: string;
  tenantId: string;
  /** Lower case; one open invitation per team and email. */
  email: string;
  name?: string;
  /** SHA-256 of the token, 64 hex; unique. */
  hash: string;
  /** The token under the program's secret key, so that the link can be shown again. */
  sealedToken: string;
  createdAtMs: number;
  /** The link works before this moment only. */
  expiresAtMs: number;
}

export interface InvitationStore {
  /** By creation. */
  listInvitations(tenantId: string): Promise<Invitation[]>;
  /** Expired ones are found too: the caller decides. */
  findInvitationByHash(hash: string): Promise<Invitation | undefined>;
  /** Inserts, or replaces what this team has for the same email; the first one's id and creation stay. */
  saveInvitation(invitation: Invitation): Promise<void>;
  removeInvitation(tenantId: string, id: string): Promise<'removed' | 'missing'>;
}

/** The context in which `sealedToken` is sealed. */
export function invitationSealContext({ tenantId, email }: Pick<Invitation, 'tenantId' | 'email'>): string {
  return `invitation ${tenantId} ${email}`;
}
