/** Names that are looked for on the path. */
export const chromiumNames: readonly string[];
/** `CHROMIUM_PATH`, or a browser on the path; nothing where there is none. */
export function findChromium(): string | undefined;
