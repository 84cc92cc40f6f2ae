import type { StoredPipe } from './pipe.ts';
import type { PipeRepository } from './pipe-repository.ts';
import type { PipeRun } from './pipe-run.ts';

/** Pipes in memory, in the order of their creation. */
export class FakePipeRepository implements PipeRepository {
  readonly #pipes = new Map<string, { serviceId: string; pipe: StoredPipe }>();

  #runOf: (id: string) => PipeRun | undefined = () => undefined;

  /** Runs are kept elsewhere and shown with their pipes. */
  showRuns(runOf: (id: string) => PipeRun | undefined): void {
    this.#runOf = runOf;
  }

  /** Of all services, as they are written. */
  all(): { serviceId: string; pipe: StoredPipe }[] {
    return [...this.#pipes.values()];
  }

  async list(serviceId: string): Promise<StoredPipe[]> {
    return this.all()
      .filter((entry) => entry.serviceId === serviceId)
      .map(({ pipe }) => this.#shown(pipe));
  }

  async find(serviceId: string, id: string): Promise<StoredPipe | undefined> {
    const entry = this.#pipes.get(id);
    return entry?.serviceId === serviceId ? this.#shown(entry.pipe) : undefined;
  }

  async insert(serviceId: string, pipe: StoredPipe): Promise<'inserted' | 'idTaken'> {
    if (this.#pipes.has(pipe.id)) return 'idTaken';
    this.#pipes.set(pipe.id, { serviceId, pipe: recordOf(pipe) });
    return 'inserted';
  }

  async replace(serviceId: string, pipe: StoredPipe): Promise<'replaced' | 'missing'> {
    if (!(await this.find(serviceId, pipe.id))) return 'missing';
    this.#pipes.set(pipe.id, { serviceId, pipe: recordOf(pipe) });
    return 'replaced';
  }

  async remove(serviceId: string, id: string): Promise<'removed' | 'missing'> {
    if (!(await this.find(serviceId, id))) return 'missing';
    this.#pipes.delete(id);
    return 'removed';
  }

  #shown(pipe: StoredPipe): StoredPipe {
    const run = this.#runOf(pipe.id);
    return run ? { ...pipe, run } : pipe;
  }
}

/** The run has its own row. */
function recordOf({ run: _run, ...record }: StoredPipe): StoredPipe {
  return record;
}
