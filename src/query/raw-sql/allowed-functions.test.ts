import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { aggregateNames, functionFamilies, isAllowedFunction } from './allowed-functions.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/raw-sql.md'), 'utf8');
const sortedNames = (text: string) => [...new Set(text.split(/\s+/).filter((name) => name !== ''))].sort().join(', ');

describe('the functions of raw SQL', () => {
  it('docs/raw-sql.md lists all of them, by family', () => {
    for (const [family, names] of Object.entries({ ...functionFamilies, aggregates: aggregateNames })) {
      expect(page).toContain(`**${family}**: ${sortedNames(names)}\n`);
    }
  });

  it.each(['countIf', 'COUNT', 'sumOrNull', 'quantileTDigestIf', 'uniqExactMerge', 'avgIfOrNull', 'JSONExtractString'])(
    '%s is allowed',
    (name) => {
      expect(isAllowedFunction(name)).toBe(true);
    },
  );

  it.each([
    'OrNull',
    'state',
    'file',
    'fileIf',
    'countFile',
    'sleep',
    'dictGet',
    'dictGetOrNull',
    'joinGet',
    'getSetting',
    'hostName',
    'version',
    'formatRow',
    'multiMatchAny',
    'initializeAggregation',
    '',
  ])('%s is not', (name) => {
    expect(isAllowedFunction(name)).toBe(false);
  });
});
