import type { StoredPipe } from './pipe.ts';

/** Port: pipes of services. Another service's pipe looks exactly like a missing one (decisions F2). */
export interface PipeRepository {
  /** In order of creation. */
  list(serviceId: string): Promise<StoredPipe[]>;
  find(serviceId: string, id: string): Promise<StoredPipe | undefined>;
  /** `idTaken` when a pipe of any service has this id. */
  insert(serviceId: string, pipe: StoredPipe): Promise<'inserted' | 'idTaken'>;
  /** Writes the whole record. */
  replace(serviceId: string, pipe: StoredPipe): Promise<'replaced' | 'missing'>;
  remove(serviceId: string, id: string): Promise<'removed' | 'missing'>;
}
