import { type Operation, operation } from '../../../http/operation.ts';
import { type KeyKindRoutes, placed } from '../key-kind.ts';
import type { KeyRing } from '../key-ring.ts';
import { presentKey } from '../present-key.ts';

export function listKeys(ring: KeyRing, kind: KeyKindRoutes): Operation {
  return operation({
    id: `list${kind.word}s`,
    method: 'GET',
    path: `${kind.path}`,
    ...placed(kind),
    flavours: kind.flavours,
    summary: `List every ${kind.name}`,
    tag: 'Keys',
    role: 'read',
    answer: { kind: 'list', schema: kind.key },
    errors: ['forbidden'],
    handle: async ({ principal }) => ({
      kind: 'data',
      data: (await ring.list(kind.ownerOf(principal))).map(presentKey),
    }),
  });
}
