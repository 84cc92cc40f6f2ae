import { endOf, type Silence, type SilenceRepository } from './silence-repository.ts';

/** Silences in memory, in the order of their creation. */
export class FakeSilenceRepository implements SilenceRepository {
  readonly #tenants = new Map<string, Map<string, Silence>>();

  async list(
    tenantId: string,
    { limit, offset }: { limit: number; offset: number },
  ): Promise<{ silences: Silence[]; total: number }> {
    const all = [...this.#of(tenantId).values()];
    return { silences: all.slice(offset, offset + limit), total: all.length };
  }

  async listUnended(tenantId: string, atMs: number): Promise<Silence[]> {
    return [...this.#of(tenantId).values()].filter((silence) => (endOf(silence) ?? Infinity) > atMs);
  }

  async find(tenantId: string, id: string): Promise<Silence | undefined> {
    return this.#of(tenantId).get(id);
  }

  async insert(tenantId: string, silence: Silence): Promise<void> {
    this.#of(tenantId).set(silence.id, silence);
  }

  async replace(tenantId: string, silence: Silence): Promise<boolean> {
    if (!this.#of(tenantId).has(silence.id)) return false;
    this.#of(tenantId).set(silence.id, silence);
    return true;
  }

  async remove(tenantId: string, id: string): Promise<boolean> {
    return this.#of(tenantId).delete(id);
  }

  #of(tenantId: string): Map<string, Silence> {
    const own = this.#tenants.get(tenantId) ?? new Map<string, Silence>();
    this.#tenants.set(tenantId, own);
    return own;
  }
}
