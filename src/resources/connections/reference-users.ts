import type { InUseBy } from '../../contract/in-use.ts';

/** Port: what points to a source or a connection. */
export interface ReferenceUsers {
  usersOf(tenantId: string, referenced: { kind: 'source' | 'connection'; id: string }): Promise<InUseBy[]>;
}
