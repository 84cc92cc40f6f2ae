import type { KnownSource, SourceLookup } from './source-lookup.ts';

/** The same sources and connections for one tenant; every other tenant has none. */
export class FakeSourceLookup implements SourceLookup {
  readonly #tenantId: string;
  readonly #sources: ReadonlyMap<string, KnownSource>;

  constructor(tenantId: string, sources: Record<string, KnownSource>) {
    this.#tenantId = tenantId;
    this.#sources = new Map(Object.entries(sources));
  }

  async sources(tenantId: string, ids: readonly string[]): Promise<ReadonlyMap<string, KnownSource>> {
    const own = tenantId === this.#tenantId ? [...this.#sources] : [];
    return new Map(own.filter(([id]) => ids.includes(id)));
  }

  async connections(tenantId: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
    if (tenantId !== this.#tenantId) return new Set();
    const known = new Set([...this.#sources.values()].map((source) => source.connectionId));
    return new Set(ids.filter((id) => known.has(id)));
  }
}
