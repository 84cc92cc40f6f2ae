// Bundles the program and the engine child. Packages stay outside the bundle: several are native or very large.
import { cpSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import esbuild from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

export async function build(folder = join(root, 'dist')) {
  const { version, dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  rmSync(folder, { recursive: true, force: true });
  await esbuild.build({
    entryPoints: [join(root, 'src/main.ts'), join(root, 'src/engine-child.ts')],
    outdir: folder,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    sourcemap: true,
    external: Object.keys(dependencies),
    define: { __SIGNALBOX_VERSION__: JSON.stringify(version) },
    logLevel: 'warning',
  });
  cpSync(join(root, 'web'), join(folder, 'web'), { recursive: true });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await build();
