import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { expect, inject, it } from 'vitest';

const bytesMax = 250 * 1024;
const filesMax = 15;

/** What a page needs before it can be drawn: its file and all that this imports, and what these import. */
function filesOf(folder: string, page: string): string[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.js'));
  const first = readFileSync(join(folder, '../index.html'), 'utf8').match(/[\w-]+\.js(?=")/g) ?? [];
  const own = names.filter((name) => name.startsWith(`${page}-`));
  expect(own).toHaveLength(1);
  const found = new Set<string>();
  const add = (name: string): void => {
    if (found.has(name)) return;
    found.add(name);
    const text = readFileSync(join(folder, name), 'utf8');
    for (const [, imported = ''] of text.matchAll(/(?:from|import)\s?["']\.\/([\w-]+\.js)["']/g)) add(imported);
  };
  for (const name of [...first, ...own]) add(name);
  return [...found];
}

it('the JavaScript of a dashboard is at most 250 KB in 15 files', () => {
  const folder = join(inject('programFolder'), 'web/assets');
  const files = filesOf(folder, 'DashboardPage');
  const bytes = files.map((name) => brotliCompressSync(readFileSync(join(folder, name))).length);
  expect(files.length).toBeGreaterThan(3);
  expect(files.length).toBeLessThanOrEqual(filesMax);
  expect(bytes.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(bytesMax);
});
