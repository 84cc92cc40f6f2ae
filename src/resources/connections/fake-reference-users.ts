import type { InUseBy } from '../../contract/in-use.ts';
import type { ReferenceUsers } from './reference-users.ts';

/** Answers what it was given. */
export class FakeReferenceUsers implements ReferenceUsers {
  readonly #users = new Map<string, InUseBy[]>();

  set(id: string, users: InUseBy[]): void {
    this.#users.set(id, users);
  }

  async usersOf(_tenantId: string, { id }: { kind: 'source' | 'connection'; id: string }): Promise<InUseBy[]> {
    return this.#users.get(id) ?? [];
  }
}
