/** In patterns and masked texts: what differs from event to event. */
export const wildcard = '<*>';

const other = 0;
const letter = 1;
const digit = 2;
/** Joins words to one that is masked as a whole: `10.0.0.1`, `a1b2-c3d4`. */
const joiner = 3;
/** Joins only numbers, as it also follows names: `12:05:09`, but `order:17`. */
const colon = 4;

const classes = classesOfCharacters();

function classesOfCharacters(): Uint8Array {
  const table = new Uint8Array(128).fill(other);
  for (let code = 0; code < 128; code++) {
    const char = String.fromCharCode(code);
    if (/[A-Za-z_]/.test(char)) table[code] = letter;
    else if (/[0-9]/.test(char)) table[code] = digit;
    else if (/[.\-+]/.test(char)) table[code] = joiner;
    else if (char === ':') table[code] = colon;
  }
  return table;
}

function classOf(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code < 128 ? (classes[code] ?? other) : letter;
}

/** The text with every word that holds a digit replaced by a wildcard: ids, numbers, times and addresses. */
export function maskText(text: string): string {
  let masked = '';
  let copied = 0;
  let at = 0;
  while (at < text.length) {
    const first = classOf(text, at);
    if (first !== letter && first !== digit) {
      at += 1;
      continue;
    }
    const { end, hasDigit } = wordAt(text, at);
    if (hasDigit) {
      masked += text.slice(copied, at) + wildcard;
      copied = end;
    }
    at = end;
  }
  return copied === 0 ? text : masked + text.slice(copied);
}

/** A chunk of letters, digits and what joins them; a joiner at its end is punctuation. */
function wordAt(text: string, start: number): { end: number; hasDigit: boolean } {
  let hasDigit = false;
  let end = start;
  for (let at = start; at < text.length; at++) {
    const found = classOf(text, at);
    if (found === other || (found === colon && !hasDigit)) break;
    if (found === digit) hasDigit = true;
    if (found === letter || found === digit) end = at + 1;
  }
  return { end, hasDigit };
}
