import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const pages = join(import.meta.dirname, '../web/src');
const files = readdirSync(pages, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.tsx'));

/** Plain containers with a name but no role: no screen reader says it. */
function namedWithoutRole(text: string): string[] {
  const tags = text.match(/<(?:Loader|Stack|Group|Text|Box|Paper|Center|Flex|span|div|p)\b(?:[^<>]|=>)*>/g) ?? [];
  return tags.filter((tag) => /\saria-label=/.test(tag) && !/\s(?:role|component)=/.test(tag));
}

it.each(files)('%s names only elements that have a role', (file) => {
  expect(namedWithoutRole(readFileSync(join(pages, file), 'utf8'))).toEqual([]);
});

it('finds those that there are', () => {
  const bad = '<Loader size={16} aria-label="Computing" />';
  expect(
    namedWithoutRole(`<a>${bad}<Stack role="status" aria-label="b"><div onClick={() => 1}>x</div></Stack></a>`),
  ).toEqual([bad]);
});
