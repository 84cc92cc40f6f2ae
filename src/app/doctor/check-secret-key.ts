import { type SealStore, sealContext } from '../../access/seal-check.ts';
import type { SealedTexts } from '../../access/sealed-texts.ts';
import type { SecretBox } from '../../access/secret-box.ts';
import { type Finding, findingsOf } from './finding.ts';

export interface SecretKeyFacts {
  /** Of the key that is set or kept; absent = there is none. */
  box: SecretBox | undefined;
  secretKeySeal: SealStore;
  sealedTexts: SealedTexts;
}

/** Whether the key is there, is the store's, and opens everything that was sealed. */
export async function checkSecretKey({ box, secretKeySeal, sealedTexts }: SecretKeyFacts): Promise<Finding[]> {
  const finding = findingsOf('secret key');
  const seal = await secretKeySeal.find();
  if (seal === undefined) return [finding.ok('The store has no secrets yet.')];
  const restore = 'Restore SIGNALBOX_SECRET_KEY, or the file secret-key in SIGNALBOX_DATA_DIR.';
  if (!box) return [finding.error('There is no key, and the store was used with one.', restore)];
  if (!opens(box, seal, sealContext))
    return [finding.error('The key is not the one that encrypted the secrets.', restore)];
  const texts = await sealedTexts.list();
  const lost = texts.filter(({ sealed, context }) => !opens(box, sealed, context));
  if (lost.length === 0) return [finding.ok(`It opens all secrets (${texts.length}).`)];
  const where = [...new Set(lost.map(({ place }) => place))].join(', ');
  return [
    finding.warning(
      `Secrets were encrypted with another key (${lost.length} of ${texts.length}: ${where}).`,
      'Enter them again.',
    ),
  ];
}

function opens(box: SecretBox, sealed: string, context: string): boolean {
  try {
    box.open(sealed, context);
    return true;
  } catch {
    return false;
  }
}
