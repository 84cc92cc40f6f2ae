import { KeyUpdateSchema } from '../../../contract/key.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import { type KeyKindRoutes, placed } from '../key-kind.ts';
import type { KeyRing } from '../key-ring.ts';
import { presentKey } from '../present-key.ts';

export function updateKey(ring: KeyRing, kind: KeyKindRoutes): Operation {
  return operation({
    id: `update${kind.word}`,
    method: 'PUT',
    path: `${kind.path}/:id`,
    ...placed(kind),
    flavours: kind.flavours,
    summary: `Change the name and the expiry of a ${kind.name}`,
    tag: 'Keys',
    role: 'admin',
    body: KeyUpdateSchema,
    answer: { kind: 'one', schema: kind.key },
    errors: ['request_invalid', 'forbidden', 'key_not_found', 'conflict'],
    precheck: ({ principal, params }) => ring.require(kind.ownerOf(principal), params.id ?? ''),
    handle: async ({ principal, params, body }) => ({
      kind: 'data',
      data: presentKey(
        await ring.update(kind.ownerOf(principal), params.id ?? '', { ...body, endsByMs: principal.keyExpiresAtMs }),
      ),
    }),
  });
}
