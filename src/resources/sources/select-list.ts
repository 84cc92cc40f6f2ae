import { splitExpressions } from '../../contract/split-expressions.ts';

/** One column of a search: what it is made of and the key under which it is answered. */
export interface SelectItem {
  text: string;
  key: string;
}

const aliased = /^(.*\S)\s+as\s+(?:"([^"]+)"|`([^`]+)`|([A-Za-z_][\w.]*))$/is;
const quoted = /^(?:"([^"]+)"|`([^`]+)`)$/;

/** `a, f(b, c) AS d, "e"`: an alias is the key, else the text as it is written, without quotes around a name. */
export function readSelectList(text: string): SelectItem[] {
  return splitExpressions(text).map((item) => {
    const [, expression, ...names] = aliased.exec(item) ?? [];
    const key = names.find((name) => name !== undefined);
    if (expression !== undefined && key !== undefined) return { text: expression, key };
    const name = quoted.exec(item);
    return { text: item, key: name?.[1] ?? name?.[2] ?? item };
  });
}
