import type { SealStore } from './seal-check.ts';

/** Keeps the seal in memory. */
export class FakeSealStore implements SealStore {
  sealed: string | undefined;

  async find(): Promise<string | undefined> {
    return this.sealed;
  }
  async keepFirst(sealed: string): Promise<void> {
    this.sealed ??= sealed;
  }
  async replace(sealed: string): Promise<void> {
    this.sealed = sealed;
  }
}
