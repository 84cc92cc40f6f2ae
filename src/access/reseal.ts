import { type SealStore, takeBox } from './seal-check.ts';
import type { SealedText, SealedTexts } from './sealed-texts.ts';
import type { SecretBox } from './secret-box.ts';

export interface ResealResult {
  /** Sealed again with the current key. */
  resealed: number;
  /** Opened by neither key: they were lost before. */
  lost: readonly SealedText[];
}

/**
 * Seals everything in the store with the current key of a box that also has the previous one. Call it in a transaction;
 * what others write meanwhile is taken as well, as long as they seal with the current key.
 */
export async function resealAll(
  box: SecretBox,
  { sealedTexts, secretKeySeal }: { sealedTexts: SealedTexts; secretKeySeal: SealStore },
): Promise<ResealResult> {
  let resealed = 0;
  for (;;) {
    const stale = (await sealedTexts.list()).filter(({ sealed, context }) => !box.isCurrent(sealed, context));
    const opened = stale.map((text) => ({ text, plain: openOrNothing(box, text) }));
    let changedMeanwhile = 0;
    for (const { text, plain } of opened) {
      if (plain === undefined) continue;
      if (await sealedTexts.replace(text, box.seal(plain, text.context))) resealed++;
      else changedMeanwhile++;
    }
    if (changedMeanwhile > 0) continue;
    await takeBox(box, secretKeySeal);
    return { resealed, lost: opened.filter(({ plain }) => plain === undefined).map(({ text }) => text) };
  }
}

function openOrNothing(box: SecretBox, { sealed, context }: SealedText): string | undefined {
  try {
    return box.open(sealed, context);
  } catch {
    return undefined;
  }
}
