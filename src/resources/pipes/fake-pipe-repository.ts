import type { StoredPipe } from './pipe.ts';
import type { PipeRepository } from './pipe-repository.ts';

/** Pipes in memory, in the order of their creation. */
export class FakePipeRepository implements PipeRepository {
  readonly #pipes = new Map<string, { serviceId: string; pipe: StoredPipe }>();

  async list(serviceId: string): Promise<StoredPipe[]> {
    return [...this.#pipes.values()].filter((entry) => entry.serviceId === serviceId).map(({ pipe }) => pipe);
  }

  async find(serviceId: string, id: string): Promise<StoredPipe | undefined> {
    const entry = this.#pipes.get(id);
    return entry?.serviceId === serviceId ? entry.pipe : undefined;
  }

  async insert(serviceId: string, pipe: StoredPipe): Promise<'inserted' | 'idTaken'> {
    if (this.#pipes.has(pipe.id)) return 'idTaken';
    this.#pipes.set(pipe.id, { serviceId, pipe });
    return 'inserted';
  }

  async replace(serviceId: string, pipe: StoredPipe): Promise<'replaced' | 'missing'> {
    if (!(await this.find(serviceId, pipe.id))) return 'missing';
    this.#pipes.set(pipe.id, { serviceId, pipe });
    return 'replaced';
  }

  async remove(serviceId: string, id: string): Promise<'removed' | 'missing'> {
    if (!(await this.find(serviceId, id))) return 'missing';
    this.#pipes.delete(id);
    return 'removed';
  }
}
