import type { Operation } from '../../../http/operation.ts';
import { cloudKeys, ingestionKeys, personalKeys } from '../key-kind.ts';
import type { KeyRing } from '../key-ring.ts';
import { createKey } from './create-key.ts';
import { deleteKey } from './delete-key.ts';
import { listKeys } from './list-keys.ts';
import { rotateKey } from './rotate-key.ts';
import { updateKey } from './update-key.ts';

/** Every operation on keys, for each of the three kinds (decisions K1). */
export function keyOperations(ring: KeyRing): Operation[] {
  return [personalKeys, ingestionKeys, cloudKeys].flatMap((kind) => [
    listKeys(ring, kind),
    createKey(ring, kind),
    updateKey(ring, kind),
    deleteKey(ring, kind),
    rotateKey(ring, kind),
  ]);
}
