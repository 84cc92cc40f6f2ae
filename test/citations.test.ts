import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '..');
const spec = (name: string) => readFileSync(join(root, 'docs/spec', name), 'utf8');
const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((match) => match[1] ?? '');

const seed = spec('seed.md');
/** Titles of its parts, without a trailing parenthesis. */
const seedTitles = all(seed, /^#+ (.+)$/gm).map((title) => title.replace(/ \(.*\)$/, ''));
const decisions = new Set(all(spec('decisions.md'), /^\| ([A-Z]\d+) \|/gm));
const sections = new Set(all(spec('contract.md'), /^#+ (\d+(?:\.\d+)?) /gm));
const reports = new Set(all(spec('user-reports.md'), /^\| (U-\d+) /gm));

interface Citation {
  readonly file: string;
  readonly text: string;
}

/** Everything that quotes a rule: code, tests, benches, scripts, and the pages beside the rules themselves. */
const quoting = ['src', 'web/src', 'test', 'bench', 'scripts', 'docs']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile() && /\.(tsx?|mjs|md)$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name)),
  )
  .filter((file) => !file.startsWith(join(root, 'docs/spec')) && file !== import.meta.filename)
  .map((file) => ({ file: relative(root, file), text: readFileSync(file, 'utf8') }));

function citations(pattern: RegExp): Citation[] {
  return quoting.flatMap(({ file, text }) => all(text, pattern).map((cited) => ({ file, text: cited })));
}

function leadNowhere(found: readonly Citation[], leads: (text: string) => boolean): string[] {
  expect(found.length).toBeGreaterThan(0);
  return found.filter(({ text }) => !leads(text)).map(({ file, text }) => `${file}: ${text}`);
}

describe('every rule that is quoted is in docs/spec', () => {
  it('sections of the specification', () => {
    const found = citations(/\bseed §([^\n;]{3,60})/g);
    const leads = (text: string) => seedTitles.some((title) => text.startsWith(title) || text.includes(`/${title}`));
    expect(leadNowhere(found, leads)).toEqual([]);
  });

  it('public reports, each in the name of a test of its page', () => {
    const page = readFileSync(join(root, 'docs/field-reports.md'), 'utf8');
    const parts = page.split(/^## /m).slice(1);
    const unheld = parts.flatMap((part) => {
      const [file = ''] = all(part, /`([a-z-]+\.test\.ts)`/g);
      const tests = readFileSync(join(root, 'test/field-reports', file), 'utf8');
      const named = all(part, /^\| ([^|]*#\d[^|]*) \|/gm).flatMap((cell) => cell.split(', '));
      expect(named.length).toBeGreaterThan(5);
      return named.filter((report) => !tests.includes(report));
    });
    expect(unheld).toEqual([]);
  });

  it('decisions, alone or in a list', () => {
    const lists = citations(/\bdecisions? ((?:[A-Z]\d+(?:, | and | to |; )?)+)/g);
    const found = lists.flatMap(({ file, text }) => all(text, /([A-Z]\d+)/g).map((id) => ({ file, text: id })));
    expect(leadNowhere(found, (id) => decisions.has(id))).toEqual([]);
  });

  it('sections of the contract', () => {
    expect(leadNowhere(citations(/\bcontract §([\d.]*\d|\S*)/g), (id) => sections.has(id))).toEqual([]);
  });

  it('the contract is quoted by section, never by a topic in words', () => {
    expect(citations(/(?:\(|\*\* |; |')(contract: [a-z ]+)/g)).toEqual([]);
  });

  it('reports of users', () => {
    expect(leadNowhere(citations(/\b(U-\d+)\b/g), (id) => reports.has(id))).toEqual([]);
  });

  it('every report that is listed is held by a test', () => {
    const held = new Set(
      quoting
        .filter(({ file }) => /\.(test|contract)\.tsx?$|spec-gaps/.test(file))
        .flatMap(({ text }) => all(text, /(U-\d+)/g)),
    );
    expect([...reports].filter((id) => !held.has(id))).toEqual([]);
  });
});
