import type { BuildOptions } from 'esbuild';

/** Bundles `main.js`, `engine-child.js`, `demo-alert.js` and the pages into `folder` (default: `dist/`). */
export function build(folder?: string): Promise<void>;
/** How the program, without its pages, is bundled into a folder. */
export function programOptions(folder: string): BuildOptions;
