import fc from 'fast-check';
import { expect, it } from 'vitest';
import { FakeSealStore } from './fake-seal-store.ts';
import { resealAll } from './reseal.ts';
import { isBoxOf } from './seal-check.ts';
import type { SealedText, SealedTexts } from './sealed-texts.ts';
import { SecretBox } from './secret-box.ts';

const keys = { old: 'the old secret key', new: 'the new secret key', lost: 'a key that is lost' };
const boxes = { old: new SecretBox(keys.old), new: new SecretBox(keys.new), lost: new SecretBox(keys.lost) };
const both = new SecretBox(keys.new, keys.old);

class FakeSealedTexts implements SealedTexts {
  texts: readonly SealedText[];
  /** Before the next replacement, as another process would do it. */
  meanwhile: () => void = () => {};

  constructor(texts: readonly SealedText[]) {
    this.texts = texts;
  }

  async list(): Promise<SealedText[]> {
    return [...this.texts];
  }
  async replace(text: SealedText, sealed: string): Promise<boolean> {
    const { meanwhile } = this;
    this.meanwhile = () => {};
    meanwhile();
    const isThere = this.texts.some(({ id, sealed: stored }) => id === text.id && stored === text.sealed);
    this.texts = this.texts.map((one) => (isThere && one.id === text.id ? { ...one, sealed } : one));
    return isThere;
  }
}

interface Stored {
  plain: string;
  key: keyof typeof boxes;
}

function sealedText({ plain, key }: Stored, at: number): SealedText {
  const context = `context ${at}`;
  return { place: 'webhooks', id: String(at), context, sealed: boxes[key].seal(plain, context) };
}

const stored = fc.array(fc.record({ plain: fc.string(), key: fc.constantFrom('old', 'new', 'lost') }), {
  maxLength: 12,
});

it('afterwards the new key alone opens whatever either key opened, and the store is its store', async () => {
  await fc.assert(
    fc.asyncProperty(stored, async (all: readonly Stored[]) => {
      const [secretKeySeal, sealedTexts] = [new FakeSealStore(), new FakeSealedTexts(all.map(sealedText))];
      await isBoxOf(boxes.old, secretKeySeal);
      const { resealed, lost } = await resealAll(both, { sealedTexts, secretKeySeal });
      expect(resealed).toBe(all.filter(({ key }) => key === 'old').length);
      expect(lost.map(({ id }) => id)).toEqual(all.flatMap(({ key }, at) => (key === 'lost' ? [String(at)] : [])));
      for (const [at, { plain, key }] of all.entries()) {
        const { sealed = '', context = '' } = sealedTexts.texts[at] ?? {};
        const box = key === 'lost' ? boxes.lost : boxes.new;
        expect(box.open(sealed, context)).toBe(plain);
      }
      expect(await isBoxOf(boxes.new, secretKeySeal)).toBe(true);
      expect(await isBoxOf(boxes.old, secretKeySeal)).toBe(false);
    }),
  );
});

it('a secret that is changed meanwhile keeps its change', async () => {
  const sealedTexts = new FakeSealedTexts([0, 1].map((at) => sealedText({ plain: 'before', key: 'old' }, at)));
  sealedTexts.meanwhile = () => {
    sealedTexts.texts = sealedTexts.texts.map((text) => ({ ...text, sealed: both.seal('after', text.context) }));
  };
  await resealAll(both, { sealedTexts, secretKeySeal: new FakeSealStore() });
  expect(sealedTexts.texts.map(({ sealed, context }) => boxes.new.open(sealed, context))).toEqual(['after', 'after']);
});

it('while both keys are set, either opens the store', async () => {
  const secretKeySeal = new FakeSealStore();
  await isBoxOf(boxes.old, secretKeySeal);
  expect(await isBoxOf(both, secretKeySeal)).toBe(true);
  await resealAll(both, { sealedTexts: new FakeSealedTexts([]), secretKeySeal });
  expect(await isBoxOf(both, secretKeySeal)).toBe(true);
});
