/** Bundles `main.js` and `engine-child.js` into `folder` (default: `dist/`). */
export function build(folder?: string): Promise<void>;
