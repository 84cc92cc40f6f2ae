import { foundation } from './0001-foundation.ts';
import type { Migration } from './migration.ts';

/** In the order in which they are applied. */
export const migrationList: readonly Migration[] = [foundation];
