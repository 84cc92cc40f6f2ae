import { BackupError } from './backup-error.ts';

/** By path, relative to the backup's folder, with slashes. */
export type Checksums = ReadonlyMap<string, string>;

/** Written last: a folder without it is not a complete backup. `sha256sum --check` reads it. */
export const checksumsFile = 'SHA256SUMS';

export function renderChecksums(checksums: Checksums): string {
  return [...checksums].map(([path, sha256]) => `${sha256}  ${path}\n`).join('');
}

/** @throws {BackupError} for anything else than `renderChecksums` writes, such as paths that lead out of the folder */
export function parseChecksums(text: string): Checksums {
  const checksums = new Map<string, string>();
  for (const line of text.split('\n').filter((one) => one !== '')) {
    const [, sha256, path] = /^([0-9a-f]{64}) {2}(.+)$/.exec(line) ?? [];
    if (sha256 === undefined || path === undefined || !isInside(path)) {
      throw new BackupError(`The backup is damaged: ${checksumsFile} has a line that is not a checksum.`);
    }
    checksums.set(path, sha256);
  }
  return checksums;
}

function isInside(path: string): boolean {
  return !/[\\\0]/.test(path) && path.split('/').every((name) => name !== '' && name !== '.' && name !== '..');
}
