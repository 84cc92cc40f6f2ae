import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Addresses in the built page are relative: the same files serve any sub-path (`<base>` is set by the server). */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [react()],
  build: {
    outDir: resolve(import.meta.dirname, '../dist/web'),
    emptyOutDir: true,
    target: 'es2022',
    // Older targets would rewrite light-dark(), which follows the chosen colours.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // Inlined pieces would be data: addresses, which the content security policy does not let through.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
    // What most pages share comes in two files: a page just opened waits for half as many answers.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'libraries', test: /node_modules/, minShareCount: 7, priority: 2 },
            { name: 'shared', minShareCount: 7, priority: 1 },
          ],
        },
      },
    },
  },
});
