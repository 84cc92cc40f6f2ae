/** Managed: a person who may do everything in one organization. */
export interface OrganizationUser {
  /** 24 hex. */
  id: string;
  organizationId: string;
  /** Lower case; unique over all organizations. */
  email: string;
  name?: string;
  passwordHash: string;
  createdAtMs: number;
}

export interface OrganizationUserStore {
  hasOrganizationUser(): Promise<boolean>;
  findOrganizationUser(id: string): Promise<OrganizationUser | undefined>;
  /** `email` in lower case. */
  findOrganizationUserByEmail(email: string): Promise<OrganizationUser | undefined>;
  /** `emailTaken`: nothing is written. */
  insertOrganizationUser(user: OrganizationUser): Promise<'inserted' | 'emailTaken'>;
  setOrganizationUserPassword(id: string, passwordHash: string): Promise<void>;
}
