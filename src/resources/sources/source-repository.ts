import type { Source } from './source.ts';

export interface SourceRepository {
  list(tenantId: string): Promise<Source[]>;
  find(tenantId: string, id: string): Promise<Source | undefined>;
  insert(tenantId: string, source: Source): Promise<void>;
  /** False when there is none. */
  replace(tenantId: string, source: Source): Promise<boolean>;
  remove(tenantId: string, id: string): Promise<boolean>;
}
