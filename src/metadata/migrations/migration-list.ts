import { foundation } from './0001-foundation.ts';
import { alerts } from './0002-alerts.ts';
import type { Migration } from './migration.ts';

/** In the order in which they are applied. */
export const migrationList: readonly Migration[] = [foundation, alerts];
