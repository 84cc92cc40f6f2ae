import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const pages = join(import.meta.dirname, '../web/src');
const files = readdirSync(pages, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.tsx'));

/** Elements with the property `disabled`, by the name of the element and what it depends on. */
function disabledElements(text: string): { element: string; condition: string }[] {
  // Icons inside properties would look like the element.
  const flat = text.replace(/=\{<[A-Z][^<>]*\/>\}/g, '');
  return [...flat.matchAll(/(?<![-'\w])disabled(?:=\{([^\n]*)\})?/g)].flatMap((match) => {
    const before = flat.slice(0, match.index);
    const open = before.lastIndexOf('<');
    const element = /^<([A-Z][\w.]*)/.exec(before.slice(open))?.[1];
    return element ? [{ element, condition: match[1] ?? 'true' }] : [];
  });
}

// DESIGN.md: "A disabled control says why." `ReasonedButton` and `deadEnd` do.
it.each(files)('%s has no button that is disabled without a reason', (file) => {
  const buttons = disabledElements(readFileSync(join(pages, file), 'utf8')).filter(
    ({ element, condition }) => /^(Button|ActionIcon)$/.test(element) && !/[pP]ending|isLoading/.test(condition),
  );
  expect(buttons).toEqual([]);
});

it('finds those that there are', () => {
  const text = '<Button leftSection={<IconPlus size={14} />} disabled={!good} onClick={() => go()}>Go</Button>';
  expect(disabledElements(text)).toEqual([{ element: 'Button', condition: '!good} onClick={() => go()' }]);
  expect(disabledElements('<ActionIcon disabled>x</ActionIcon>')).toEqual([
    { element: 'ActionIcon', condition: 'true' },
  ]);
});
