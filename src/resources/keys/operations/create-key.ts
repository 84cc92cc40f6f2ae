import type { KeyInput } from '../../../contract/key.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import { type KeyKindRoutes, placed } from '../key-kind.ts';
import type { KeyRing } from '../key-ring.ts';
import { presentNewKey } from '../present-key.ts';

/** The secret is in this answer and nowhere else (decisions K2). */
export function createKey(ring: KeyRing, kind: KeyKindRoutes): Operation {
  return operation({
    id: `create${kind.word}`,
    method: 'POST',
    path: `${kind.path}`,
    ...placed(kind),
    flavours: kind.flavours,
    summary: `Create a ${kind.name}`,
    tag: 'Keys',
    role: 'admin',
    body: kind.input,
    answer: { kind: 'one', schema: kind.newKey },
    errors: ['request_invalid', 'forbidden', 'conflict'],
    handle: async ({ principal, body }) => ({
      kind: 'data',
      // `kind.input` is a schema of `KeyInput` without the fields that this kind does not have.
      data: presentNewKey(await ring.create(kind.ownerOf(principal), body as KeyInput, principal.keyExpiresAtMs)),
    }),
  });
}
