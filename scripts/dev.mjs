// `npm run dev`: the program from source, rebuilt and restarted on each change, and the pages from Vite's server,
// which puts changes into the open page. One log; Ctrl-C ends both. Settings and data folder are those of `npm start`.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { startPages } from './dev/pages.mjs';
import { Restarts } from './dev/restarts.mjs';
import { ensureInstalled, root } from './ensure-ready.mjs';

ensureInstalled();
// Below node_modules, so that packages resolve; of this process, so that two can run side by side.
const folder = join(root, 'node_modules/.cache', `signalbox-dev-${process.pid}`);
const program = new Restarts(folder);
let pages;
let leaving = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void leave(0));

try {
  await program.start();
  pages = await startPages({
    port: Number(process.env.SIGNALBOX_WEB_PORT ?? 8080),
    addresses: () => program.addresses,
  });
  console.log(
    `\n  Pages  ${pages.url}\n  API    ${program.addresses?.api}\n\nChanges are taken over as files are saved. Ctrl-C ends it.\n`,
  );
} catch (error) {
  if (!leaving) console.error(error instanceof Error ? error.message : error);
  await leave(1);
}

async function leave(code) {
  if (leaving) return;
  leaving = true;
  await pages?.close();
  await program.stop();
  rmSync(folder, { recursive: true, force: true });
  process.exit(code);
}
