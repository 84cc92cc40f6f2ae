/** Bundles `main.js`, `engine-child.js`, `demo-alert.js` and the pages into `folder` (default: `dist/`). */
export function build(folder?: string): Promise<void>;
