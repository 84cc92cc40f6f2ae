const closing: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };
const quotes = new Set(["'", '"', '`']);

/** Splits `a, f(b, c), Map['x,y']` at its top-level commas; brackets and quotes are respected, blanks trimmed. */
export function splitExpressions(text: string): string[] {
  const parts: string[] = [];
  const open: string[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? '';
    const inside = open.at(-1);
    if (inside !== undefined && quotes.has(inside)) {
      if (character === '\\') at++;
      else if (character === inside) open.pop();
    } else if (character === inside) open.pop();
    else if (quotes.has(character)) open.push(character);
    else if (closing[character]) open.push(closing[character]);
    else if (character === ',' && open.length === 0) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  parts.push(text.slice(start));
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}
