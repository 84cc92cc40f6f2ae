// Bundles the program, the engine child, the worker threads, the web pages and the demo's way into its store. The pages are one
// self-contained folder of static files.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import esbuild from 'esbuild';
import { build as buildPages } from 'vite';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
/** Native, with separate files and threads, or rarely needed. The others are bundled: finding and reading 900 modules took 40 % of a start. */
const packagesOutside = [
  'chdb',
  'libsql',
  '@node-rs/argon2',
  '@platformatic/kafka',
  'pg',
  'pino',
  '@zxcvbn-ts/language-common',
];
/** CommonJS packages in a bundle of ES modules ask for these. */
const commonJsNames = [
  "import { createRequire as bundleRequire } from 'node:module';",
  "import { fileURLToPath as bundlePath } from 'node:url';",
  'const require = bundleRequire(import.meta.url);',
  'const __filename = bundlePath(import.meta.url);',
  "const __dirname = bundlePath(new URL('.', import.meta.url));",
].join('');

export async function build(folder = join(root, 'dist')) {
  rmSync(folder, { recursive: true, force: true });
  await buildProgram(folder);
  await buildWeb(join(folder, 'web'));
}

async function buildProgram(folder) {
  await esbuild.build(programOptions(folder));
}

/** How the program, without its pages, is bundled into a folder. */
export function programOptions(folder) {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return {
    entryPoints: {
      main: join(root, 'src/main.ts'),
      'engine-child': join(root, 'src/engine-child.ts'),
      'worker-thread': join(root, 'src/worker-thread.ts'),
      'demo-alert': join(root, 'scripts/demo/past-alert.ts'),
    },
    outdir: folder,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    sourcemap: true,
    external: packagesOutside,
    banner: { js: commonJsNames },
    define: { __SIGNALBOX_VERSION__: JSON.stringify(version) },
    logLevel: 'warning',
  };
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
