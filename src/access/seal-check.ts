import type { SecretBox } from './secret-box.ts';

/** Port: one sealed text, kept in the store beside all that is sealed there. */
export interface SealStore {
  find(): Promise<string | undefined>;
  /** If several are stored concurrently, the first one stays. */
  keepFirst(sealed: string): Promise<void>;
  replace(sealed: string): Promise<void>;
}

/** The context of the sealed text. */
export const sealContext = 'seal check';
const plain = 'opened';

/** Whether this is the box in which the store's secrets were sealed. A store that knows none yet takes this one. */
export async function isBoxOf(box: SecretBox, seals: SealStore): Promise<boolean> {
  if ((await seals.find()) === undefined) await seals.keepFirst(box.seal(plain, sealContext));
  const sealed = await seals.find();
  try {
    return sealed !== undefined && box.open(sealed, sealContext) === plain;
  } catch {
    return false;
  }
}

/** From now on this is the store's box. What another one sealed cannot be read any more. */
export async function takeBox(box: SecretBox, seals: SealStore): Promise<void> {
  await seals.replace(box.seal(plain, sealContext));
}
