import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

export const chromiumNames = ['chromium', 'chromium-browser', 'google-chrome'];

/** `CHROMIUM_PATH`, or a browser on the path; nothing where there is none. */
export function findChromium() {
  const given = process.env.CHROMIUM_PATH;
  if (given) return existsSync(given) ? given : undefined;
  for (const name of chromiumNames) {
    try {
      return execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim();
    } catch {
      // Not on the path: the next name.
    }
  }
  return undefined;
}
