import { type Operation, operation } from '../../../http/operation.ts';
import { type KeyKindRoutes, placed } from '../key-kind.ts';
import type { KeyRing } from '../key-ring.ts';

/** Takes effect immediately on all replicas (decisions K2). */
export function deleteKey(ring: KeyRing, kind: KeyKindRoutes): Operation {
  return operation({
    id: `delete${kind.word}`,
    method: 'DELETE',
    path: `${kind.path}/:id`,
    ...placed(kind),
    flavours: kind.flavours,
    summary: `Revoke a ${kind.name}`,
    tag: 'Keys',
    role: 'admin',
    answer: { kind: 'none' },
    errors: ['forbidden', 'key_not_found'],
    handle: async ({ principal, params }) => {
      await ring.remove(kind.ownerOf(principal), params.id ?? '');
      return { kind: 'none' };
    },
  });
}
