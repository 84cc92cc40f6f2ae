import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { checkSync } from 'recheck';
import { parseSync } from 'vite';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '..');

interface Pattern {
  file: string;
  source: string;
  flags: string;
}

/** Patterns that may take quadratic time, since what they are tried on is short, with the reason. */
const bounded = new Map([
  [
    'src/resources/dashboards/import/grafana/grafana-variables.ts',
    'begins at the start and repeats at most 2,000 times',
  ],
  ['web/src/features/where-editor/completion-place.ts', 'sees the last 2,000 characters before the cursor'],
]);
/** Files that build patterns out of constants, or of schemas, whose patterns are found here. */
const building = new Set([
  'src/http/validation/object-validator.ts',
  'src/http/validation/scalar-validator.ts',
  'src/metadata/postgres/bounded-pool.ts',
  'src/notify/render/mentions.ts',
  'src/resources/dashboards/import/grafana/grafana-sql.ts',
]);
const minutes = 60_000;
/** Its own limits are fractions of a second, which a busy machine passes; the seed makes its tries the same each time. */
const patience = { timeout: minutes, attackTimeout: minutes, incubationTimeout: minutes, randomSeed: 1 };

function sourceFiles(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /(?<!\.test)\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Every node of a syntax tree, the children of each after it. */
function* nodesOf(node: unknown): Generator<Record<string, unknown>> {
  if (typeof node !== 'object' || node === null) return;
  if (!Array.isArray(node)) yield node as Record<string, unknown>;
  for (const child of Object.values(node)) yield* nodesOf(child);
}

/** A literal, or the text of a schema's `pattern`. */
function patternOf(node: Record<string, unknown>): { pattern: string; flags: string } | undefined {
  if (node.type === 'Literal' && node.regex) return node.regex as { pattern: string; flags: string };
  const { key, value } = node as { key?: { name?: string }; value?: { type?: string; value?: unknown } };
  if (node.type !== 'Property' || key?.name !== 'pattern' || typeof value?.value !== 'string') return undefined;
  // As it is compiled by the validator.
  return { pattern: value.value, flags: 'u' };
}

const trees = ['src', 'web/src'].flatMap(sourceFiles).map((path) => ({
  file: relative(root, path),
  nodes: [...nodesOf(parseSync(path, readFileSync(path, 'utf8')).program)],
}));
const patterns: Pattern[] = trees.flatMap(({ file, nodes }) =>
  nodes.flatMap((node) => {
    const found = patternOf(node);
    return found ? [{ file, source: found.pattern, flags: found.flags }] : [];
  }),
);

/** Without repetition there is nothing to be tried again. */
function repeats({ source }: Pattern): boolean {
  return /[*+{]/.test(source);
}

describe('every regular expression of ours', () => {
  it('is found', () => {
    expect(patterns.length).toBeGreaterThan(150);
  });

  it('takes time that grows no faster than the text', { timeout: 10 * minutes }, () => {
    const distinct = new Map(patterns.filter(repeats).map((one) => [`/${one.source}/${one.flags}`, one]));
    const slow = [...distinct].filter(([, { file, source, flags }]) => {
      return !bounded.has(file) && checkSync(source, flags, patience).status !== 'safe';
    });
    expect(slow.map(([text, { file }]) => `${file}: ${text}`)).toEqual([]);
  });

  it('is a literal, so that this test sees it', () => {
    const isBuilt = (node: Record<string, unknown>) => {
      const { callee } = node as { callee?: { name?: string } };
      return (node.type === 'NewExpression' || node.type === 'CallExpression') && callee?.name === 'RegExp';
    };
    const built = trees.filter(({ file, nodes }) => !building.has(file) && nodes.some(isBuilt));
    expect(built.map(({ file }) => file)).toEqual([]);
  });
});
