import { describe, expect, it } from 'vitest';
import { AlertInputSchema } from '../../../src/contract/alert.ts';
import { CreateDashboardSchema } from '../../../src/contract/dashboard.ts';
import { SavedSearchInputSchema } from '../../../src/contract/saved-search.ts';
import { SilenceInputSchema } from '../../../src/contract/silence.ts';
import { WebhookInputSchema } from '../../../src/contract/webhook.ts';
import { plainProblem } from './plain-problem.ts';

describe('messages of the API', () => {
  it.each([
    ['config.select.0.aggFn: must be one of avg, count', 'Aggregate of series A: must be one of avg, count'],
    ['series.1.groupBy.0: is unknown', 'Group by 1 of series B: is unknown'],
    [
      'Body validation failed: tiles.2.config.select.0.valueExpression: is required; name: must not be empty',
      'Field of series A of tile 3: is required; Name: must not be empty',
    ],
    ['currentPassword: is not the current password.', 'Current password: is not the current password.'],
    ['The source is in use by dashboard "Shop" (65); delete it first', undefined],
    ['The receiver answered 503.', undefined],
    ['https://example.com: is not reachable', undefined],
  ])('%s', (message, expected = message) => expect(plainProblem(message)).toBe(expected));

  it('name the tiles of a dashboard', () => {
    const named = plainProblem('tiles.0.w: must be at most 24', { tileName: () => 'Requests' });
    expect(named).toBe('Width of tile “Requests”: must be at most 24');
  });

  it.each(
    Object.entries({
      alert: AlertInputSchema,
      dashboard: CreateDashboardSchema,
      'saved search': SavedSearchInputSchema,
      silence: SilenceInputSchema,
      webhook: WebhookInputSchema,
    }),
  )('never speak of an %s in names of programs', (_, schema) => {
    const paths = [...new Set(pathsOf(JSON.parse(JSON.stringify(schema)), []))];
    expect(paths.length).toBeGreaterThan(3);
    for (const path of paths) {
      expect(plainProblem(`${path}: is wrong`), path).toMatch(/^[A-Z][a-z]*( [A-Za-z\d()“”]+)*: is wrong$/);
      expect(plainProblem(`${path}: is wrong`), path).not.toMatch(/[a-z][A-Z]|\.|_/);
    }
  });
});

interface Node {
  properties?: Record<string, Node>;
  items?: Node;
  anyOf?: Node[];
}

/** Every place that a schema has. */
function pathsOf({ properties = {}, items, anyOf = [] }: Node, path: readonly string[]): string[] {
  return [
    ...(path.length > 0 ? [path.join('.')] : []),
    ...Object.entries(properties).flatMap(([name, node]) => pathsOf(node, [...path, name])),
    ...(items ? pathsOf(items, [...path, '0']) : []),
    ...anyOf.flatMap((node) => pathsOf(node, path)),
  ];
}
