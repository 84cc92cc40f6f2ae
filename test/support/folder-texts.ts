import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Every file below a folder that a program is writing to: what goes while it is read was only passing. */
export function folderTexts(folder: string): string[] {
  return (unlessGone(() => readdirSync(folder, { withFileTypes: true })) ?? []).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return folderTexts(path);
    const text = entry.isFile() ? unlessGone(() => readFileSync(path, 'latin1')) : undefined;
    return text === undefined ? [] : [text];
  });
}

function unlessGone<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
