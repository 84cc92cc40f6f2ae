/** An array's element as it is in its literal: NULL, or its text. */
type Element = string | null;

/** The elements of a one-dimensional array literal such as `{1,"a b",NULL}`; `undefined` when it is anything else. */
export function arrayElements(literal: string): Element[] | undefined {
  if (!literal.startsWith('{') || !literal.endsWith('}')) return undefined;
  const elements: Element[] = [];
  let at = 1;
  const last = literal.length - 1;
  while (at < last) {
    const quoted = literal[at] === '"';
    const end = quoted ? quotedEnd(literal, at) : plainEnd(literal, at, last);
    if (end === undefined) return undefined;
    const text = literal.slice(quoted ? at + 1 : at, quoted ? end - 1 : end).replaceAll(/\\(.)/gs, '$1');
    if (!quoted && /[{}]/.test(text)) return undefined;
    elements.push(!quoted && text === 'NULL' ? null : text);
    if (end < last && literal[end] !== ',') return undefined;
    at = end + 1;
  }
  return elements;
}

/** After the closing quote. */
function quotedEnd(literal: string, from: number): number | undefined {
  for (let at = from + 1; at < literal.length; at++) {
    if (literal[at] === '\\') at++;
    else if (literal[at] === '"') return at + 1;
  }
  return undefined;
}

function plainEnd(literal: string, from: number, last: number): number {
  const comma = literal.indexOf(',', from);
  return comma < 0 || comma > last ? last : comma;
}
