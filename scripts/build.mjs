// Bundles the program, the engine child, the web pages and the demo's way into its store. Packages of the program stay outside its bundle: several are
// native or very large. The pages are one self-contained folder of static files.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import esbuild from 'esbuild';
import { build as buildPages } from 'vite';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

export async function build(folder = join(root, 'dist')) {
  rmSync(folder, { recursive: true, force: true });
  await buildProgram(folder);
  await buildWeb(join(folder, 'web'));
}

async function buildProgram(folder) {
  const { version, dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  await esbuild.build({
    entryPoints: {
      main: join(root, 'src/main.ts'),
      'engine-child': join(root, 'src/engine-child.ts'),
      'demo-alert': join(root, 'scripts/demo/past-alert.ts'),
    },
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
}

async function buildWeb(folder) {
  await inProduction(() =>
    buildPages({ configFile: join(root, 'web/vite.config.ts'), logLevel: 'warn', build: { outDir: folder } }),
  );
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!/\.(js|css|svg)$/.test(name)) continue;
    const content = readFileSync(join(folder, name));
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(content));
    writeFileSync(join(folder, `${name}.gz`), gzipSync(content, { level: 9 }));
  }
}

/** Vite compiles JSX for development wherever the environment says so, as a test runner's does; React's build would not run it. */
async function inProduction(work) {
  const { NODE_ENV } = process.env;
  process.env.NODE_ENV = 'production';
  try {
    await work();
  } finally {
    if (NODE_ENV === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = NODE_ENV;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await build();
