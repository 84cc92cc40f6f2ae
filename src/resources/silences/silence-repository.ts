import type { SilenceRecord } from '../../contract/silence.ts';

/** The stored document is the wire document without the tenant, and without what the clock says of it. */
export type Silence = Omit<SilenceRecord, 'teamId' | 'active'>;

/** Port: the silences of all tenants; each method stays within one. */
export interface SilenceRepository {
  /** In order of creation. */
  list(tenantId: string, page: { limit: number; offset: number }): Promise<{ silences: Silence[]; total: number }>;
  /** Those that end after this instant, or never; in order of creation. */
  listUnended(tenantId: string, atMs: number): Promise<Silence[]>;
  find(tenantId: string, id: string): Promise<Silence | undefined>;
  insert(tenantId: string, silence: Silence): Promise<void>;
  /** False when there is none. */
  replace(tenantId: string, silence: Silence): Promise<boolean>;
  /** False when there is none. */
  remove(tenantId: string, id: string): Promise<boolean>;
}

/** Unix ms; `null` = recurs without end. */
export function endOf({ endsAt }: Silence): number | null {
  return endsAt === undefined ? null : Date.parse(endsAt);
}
