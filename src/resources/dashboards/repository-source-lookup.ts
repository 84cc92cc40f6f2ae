import type { ConnectionRepository } from '../connections/connection-repository.ts';
import type { SourceRepository } from '../sources/source-repository.ts';
import type { KnownSource, SourceLookup } from './source-lookup.ts';

/** Answers from the stored sources and connections of the tenant. */
export class RepositorySourceLookup implements SourceLookup {
  readonly #sources: SourceRepository;
  readonly #connections: ConnectionRepository;

  constructor(sources: SourceRepository, connections: ConnectionRepository) {
    this.#sources = sources;
    this.#connections = connections;
  }

  async sources(tenantId: string, ids: readonly string[]): Promise<ReadonlyMap<string, KnownSource>> {
    const own = await this.#sources.list(tenantId);
    return new Map(
      own
        .filter(({ id }) => ids.includes(id))
        .map(({ id, kind, connection }) => [id, { kind, connectionId: connection }]),
    );
  }

  async connections(tenantId: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
    const own = await this.#connections.list(tenantId);
    return new Set(own.map(({ id }) => id).filter((id) => ids.includes(id)));
  }
}
