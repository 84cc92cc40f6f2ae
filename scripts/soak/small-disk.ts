import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const megabyte = 1024 ** 2;
const defaultMb = 1_500;

/** A separate file system for the data folder, so that it can be filled; a plain folder if not permitted. */
export class SmallDisk {
  readonly folder: string;
  readonly #mounted: boolean;

  constructor(sizeMb = defaultMb) {
    this.folder = mkdtempSync(join(tmpdir(), 'signalbox-disk-'));
    this.#mounted = tryMount(this.folder, sizeMb);
  }

  /** Whether `fill` can do anything. */
  get isOwn(): boolean {
    return this.#mounted;
  }

  /** Takes what is free, to the last block. */
  fill(): void {
    if (!this.#mounted) return;
    for (let part = 0; ; part += 1) {
      const { bavail, bsize } = statfsSync(this.folder);
      const free = bavail * bsize;
      if (free === 0) return;
      try {
        writeFileSync(join(this.folder, `filler-${part}`), Buffer.alloc(Math.min(free, 64 * megabyte)));
      } catch {
        return;
      }
    }
  }

  free(): void {
    for (let part = 0; part < 100; part += 1) rmSync(join(this.folder, `filler-${part}`), { force: true });
  }

  remove(): void {
    if (this.#mounted) execFileSync('umount', ['--lazy', this.folder]);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function tryMount(folder: string, sizeMb: number): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeMb}m`, 'tmpfs', folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
