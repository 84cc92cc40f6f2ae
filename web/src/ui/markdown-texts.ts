import { decodeNamedCharacterReference } from 'decode-named-character-reference';

/** Characters that were written as references, as HTML has them: `&amp;`, `&#38;`, `&#x26;`. What is none stays as it is. */
export function characterReferences(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-zA-Z][a-zA-Z\d]{1,31}));/g,
    (written, decimal, hex, name) => {
      if (name !== undefined) return decodeNamedCharacterReference(name) || written;
      return characterOf(decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal));
    },
  );
}

const replacement = '\ufffd';

function characterOf(code: number): string {
  const isCharacter = code > 0 && code <= 0x10_ff_ff && !(code >= 0xd8_00 && code <= 0xdf_ff);
  return isCharacter ? String.fromCodePoint(code) : replacement;
}

const protocols = ['http:', 'https:', 'mailto:'];
/** For addresses within the pages, which name no protocol. */
const page = 'https://page.invalid/';

/** The address as it was written, if it leads to a page, to a picture or to a mail; nothing that could run a script. */
export function safeUrl(url: string): string | undefined {
  // Read as browsers read it: they leave out control characters, and know no case in protocols.
  if (!URL.canParse(url, page) || !protocols.includes(new URL(url, page).protocol)) return undefined;
  return url;
}
