import { KeyRotationSchema } from '../../../contract/key.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import { type KeyKindRoutes, placed } from '../key-kind.ts';
import type { KeyRing } from '../key-ring.ts';
import { presentNewKey } from '../present-key.ts';

/** The new key is in this answer and nowhere else; the old one ends now, or after the overlap (decisions K2). */
export function rotateKey(ring: KeyRing, kind: KeyKindRoutes): Operation {
  return operation({
    id: `rotate${kind.word}`,
    method: 'POST',
    path: `${kind.path}/:id/rotate`,
    ...placed(kind),
    flavours: kind.flavours,
    summary: `Replace a ${kind.name} with a new one`,
    tag: 'Keys',
    role: 'admin',
    body: KeyRotationSchema,
    answer: { kind: 'one', schema: kind.newKey },
    errors: ['forbidden', 'key_not_found', 'conflict'],
    precheck: ({ principal, params }) => ring.require(kind.ownerOf(principal), params.id ?? ''),
    handle: async ({ principal, params, body }) => {
      const terms = { overlapHours: body.overlapHours ?? 0, endsByMs: principal.keyExpiresAtMs };
      return { kind: 'data', data: presentNewKey(await ring.rotate(kind.ownerOf(principal), params.id ?? '', terms)) };
    },
  });
}
