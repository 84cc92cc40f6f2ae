import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join, resolve } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { programOptions } from '../scripts/build.mjs';

const root = resolve(import.meta.dirname, '..');
const manifest: {
  private?: boolean;
  bin: { signalbox: string };
  files: string[];
  dependencies: Record<string, string>;
  engines: { node: string };
  scripts: Record<string, string>;
} = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** `npm run interop -- package` packs, installs and starts it; this is what can be seen without. */
describe('the package', () => {
  it('may be published, and has the program and its pages, which packing builds', () => {
    expect(manifest.private).toBeUndefined();
    expect(manifest.files).toEqual(expect.arrayContaining(['bin', 'dist']));
    expect(manifest.scripts.prepack).toBe(manifest.scripts.build);
    expect(readFileSync(join(root, manifest.bin.signalbox), 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
    expect(readdirSync(join(inject('programFolder'), 'web'))).toContain('index.html');
  });

  it('depends on everything that the built program imports', () => {
    const { external = [] } = programOptions('anywhere');
    expect(external.filter((name) => !(name in manifest.dependencies))).toEqual([]);
    const scripts = readdirSync(inject('programFolder')).filter((name) => name.endsWith('.js'));
    const imported = scripts.flatMap((name) => {
      const text = readFileSync(join(inject('programFolder'), name), 'utf8');
      return [...text.matchAll(/^import\s[^;]*?from\s+["']([^."'][^"']*)["'];/gm)].map(
        ([, specifier = '']) => specifier,
      );
    });
    const known = [...builtinModules, ...external];
    const packages = imported.filter((name) => !name.startsWith('node:')).map(packageOf);
    expect(packages.filter((name) => !known.includes(name))).toEqual([]);
  });
});

function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}
