// The pages from Vite's server: it changes the open page as sources change, and passes on what the program answers.
import { join } from 'node:path';
import { createServer } from 'vite';
import { root } from '../ensure-ready.mjs';

/** What the web port answers beside the pages (`src/app/web-pages.ts`). */
const notPages = '^/(api|v1|health|ready|metrics)(/|\\?|$)';

/** `addresses` answers where the program listens now; `undefined` while it restarts. */
export async function startPages({ port, addresses }) {
  const proxy = {
    target: addresses().web,
    // Each start of the program takes another port.
    configure: (_proxy, options) => {
      Object.defineProperty(options, 'target', { get: () => addresses()?.web ?? unreachable, enumerable: true });
    },
  };
  const server = await createServer({
    configFile: join(root, 'web/vite.config.ts'),
    base: '/',
    clearScreen: false,
    server: { host: '127.0.0.1', port, strictPort: true, proxy: { [notPages]: proxy } },
    plugins: [{ name: 'head-of-the-page', transformIndexHtml: { order: 'pre', handler: () => filledPage(addresses) } }],
  });
  await server.listen();
  return { url: server.resolvedUrls?.local[0] ?? '', close: () => server.close() };
}

/** Rejects every connection. */
const unreachable = 'http://127.0.0.1:1';

/** Adds what the program passes to its pages: flavour, and where the collector listens. */
async function filledPage(addresses) {
  const answer = await fetch(addresses()?.web ?? unreachable).catch(() => undefined);
  return answer?.ok ? answer.text() : undefined;
}
