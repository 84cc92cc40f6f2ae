import type { IdentityRepository, User } from '../../access/identity-repository.ts';
import type { Principal } from '../../access/principal.ts';
import type { Tenant } from '../../access/tenants.ts';
import { AppError } from '../../contract/errors.ts';
import { isTimeZone, timeZoneRule } from '../../contract/time-zone.ts';

/** The caller's team and its members (contract §10). */
export class TeamService {
  readonly #identities: IdentityRepository;

  constructor(identities: IdentityRepository) {
    this.#identities = identities;
  }

  async get(tenantId: string): Promise<Tenant> {
    const team = await this.#identities.findTenant(tenantId);
    if (!team) throw new AppError('unauthenticated');
    return team;
  }

  /** What is omitted stays; a name may also be another team's. @throws {AppError} `request_invalid` */
  async update(tenantId: string, { name, timezone }: { name?: string; timezone?: string }): Promise<Tenant> {
    if (name === undefined && timezone === undefined) {
      throw new AppError('request_invalid', { public: 'name: a name or a timezone is required.' });
    }
    if (name?.trim() === '') throw new AppError('request_invalid', { public: 'name: must not be empty' });
    if (timezone !== undefined && !isTimeZone(timezone)) {
      throw new AppError('request_invalid', { public: `timezone: ${timeZoneRule}.` });
    }
    await this.#identities.transaction(async (store) => {
      if (name !== undefined) await store.renameTenant(tenantId, name.trim());
      if (timezone !== undefined) await store.setTimeZone(tenantId, timezone);
    });
    return this.get(tenantId);
  }

  /** By creation; without an owner whose account has not been claimed yet. */
  async members(tenantId: string): Promise<(User & { email: string })[]> {
    const users = await this.#identities.listUsers(tenantId);
    return users.flatMap((user) => (user.email === undefined ? [] : [{ ...user, email: user.email }]));
  }

  /**
   * Ends the member's sessions and personal keys; what the person created stays, and alerts keep running: they belong to the
   * team. @throws {AppError} `member_not_found`, also for another team's; `request_invalid` for yourself and the owner
   */
  async removeMember({ tenantId, userId }: Principal, id: string): Promise<void> {
    if (id === userId) throw new AppError('request_invalid', { public: 'You cannot remove yourself.' });
    await this.#identities.transaction(async (store) => {
      const user = await store.findUser(id);
      if (user?.email === undefined || user.tenantId !== tenantId) throw new AppError('member_not_found');
      if (user.role === 'owner') throw new AppError('request_invalid', { public: 'The owner cannot be removed.' });
      await store.endSessionsOf(id);
      await store.removeUser(tenantId, id);
    });
  }
}
