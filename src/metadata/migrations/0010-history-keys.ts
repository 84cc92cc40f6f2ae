import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** Old and new keys of the documents in `alert_history`. */
const renamed = [
  ['judgedAtMs', 'evaluatedAtMs'],
  ['told', 'notified'],
  ['withheld', 'suppressed'],
] as const;

/**
 * Renames keys in the text: `"told":` can only be a key, as a quote inside a JSON string is preceded by a backslash and a
 * string value is never followed by a colon.
 */
export const historyKeys: Migration = {
  name: '0010-history-keys',
  async up(schema) {
    for (const [old, name] of renamed) {
      const [from, to] = [`"${old}":`, `"${name}":`];
      await sql`
        update alert_history set document = replace(document, ${from}, ${to})
        where document like ${`%${from}%`}`.execute(schema);
    }
  },
};
