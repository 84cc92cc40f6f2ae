import type { Source } from './source.ts';
import type { SourceRepository } from './source-repository.ts';

/** Sources in memory, in the order of their creation. */
export class FakeSourceRepository implements SourceRepository {
  readonly #tenants = new Map<string, Map<string, Source>>();

  async list(tenantId: string): Promise<Source[]> {
    return [...this.#of(tenantId).values()];
  }

  async find(tenantId: string, id: string): Promise<Source | undefined> {
    return this.#of(tenantId).get(id);
  }

  async insert(tenantId: string, source: Source): Promise<void> {
    this.#of(tenantId).set(source.id, source);
  }

  async replace(tenantId: string, source: Source): Promise<boolean> {
    if (!this.#of(tenantId).has(source.id)) return false;
    this.#of(tenantId).set(source.id, source);
    return true;
  }

  async remove(tenantId: string, id: string): Promise<boolean> {
    return this.#of(tenantId).delete(id);
  }

  #of(tenantId: string): Map<string, Source> {
    const sources = this.#tenants.get(tenantId) ?? new Map<string, Source>();
    this.#tenants.set(tenantId, sources);
    return sources;
  }
}
