import { describe, expect, it } from 'vitest';
import { type AlertInput, AlertInputSchema } from '../../../src/contract/alert.ts';
import { type Dashboard, DashboardSchema, UpdateDashboardSchema } from '../../../src/contract/dashboard.ts';
import { rejectionKeyword } from '../../../src/contract/rejected-key.ts';
import {
  type SavedSearchInput,
  SavedSearchInputSchema,
  type SavedSearchRecord,
} from '../../../src/contract/saved-search.ts';
import { SilenceInputSchema } from '../../../src/contract/silence.ts';
import { sourceInputByKind, sourceKinds } from '../../../src/contract/source.ts';
import type { Tile } from '../../../src/contract/tile.ts';
import { WebhookInputSchema, WebhookSchema } from '../../../src/contract/webhook.ts';
import { bodyOfAlert } from './alerts/alert-body.ts';
import { draftOf as draftOfAlert, ruleOf } from './alerts/alert-draft.ts';
import { dashboardBody } from './dashboards/dashboard-body.ts';
import { differencesOf, mergeDashboards } from './dashboards/merge-dashboards.ts';
import { changedSearch } from './search/saved-search-body.ts';
import { draftOfSilence, silenceOfDraft } from './silences/silence-draft.ts';
import { draftOf as draftOfSource } from './sources/source-draft.ts';
import { withoutBlankRows } from './sources/source-rows.ts';
import { draftOfWebhook, webhookOfDraft } from './webhooks/webhook-draft.ts';

// Each suite lists every field of the contract, so that one which is added there must be thought of here.
/** The keys that may have a value: not those that exist only to be rejected. */
const keysOf = (schema: object): readonly string[] =>
  Object.entries((schema as { properties: Record<string, object> }).properties)
    .filter(([, property]) => !(rejectionKeyword in property && 'type' in property && property.type === 'null'))
    .map(([key]) => key)
    .sort();
const times = { createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z' };

describe('a save never loses a field that its page does not show: opened and saved, all is as it was', () => {
  describe.each(sourceKinds)('a source of kind %s', (kind) => {
    const lists: Record<string, unknown[]> = {
      querySettings: [{ setting: 'max_threads', value: '4', note: 'unknown' }],
      highlightedRowAttributeExpressions: [{ sqlExpression: 'a', luceneExpression: 'b', alias: 'c' }],
      highlightedTraceAttributeExpressions: [{ sqlExpression: 'a' }],
      materializedViews: [
        { databaseName: 'otel', tableName: 'mv', aggregatedColumns: [{ aggFn: 'sum', mvColumn: 's' }] },
      ],
    };
    const source = Object.fromEntries(
      keysOf(sourceInputByKind[kind]).map((key) => [key, lists[key] ?? (key === 'kind' ? kind : { marker: key })]),
    );

    it('keeps every field', () => {
      expect(withoutBlankRows(draftOfSource({ id: 's1', ...source } as never, source.name as string))).toEqual(source);
    });
  });

  const base: Dashboard = {
    id: 'd1',
    name: 'Shop',
    tags: ['a'],
    tiles: [{ id: 't1', x: 0, y: 0, w: 8, h: 4, containerId: 'c1', tabId: 'tab', config: { displayType: 'markdown' } }],
    filters: [{ id: 'f1', type: 'QUERY_EXPRESSION', name: 'Service', expression: 'ServiceName', sourceId: 's1' }],
    savedQuery: 'a:b',
    savedQueryLanguage: 'lucene',
    savedFilterValues: [{ type: 'sql', condition: 'a = 1' }],
    containers: [{ id: 'c1', title: 'One', collapsed: true, tabs: [{ id: 'tab', title: 'Tab' }] }],
  };

  it('a dashboard', () => {
    const { id: _id, ...content } = base;
    expect(dashboardBody(base, base)).toEqual(content);
    expect(Object.keys(content).sort()).toEqual(keysOf(UpdateDashboardSchema));
  });

  it.each(keysOf(DashboardSchema).filter((key) => key !== 'id'))(
    'a dashboard that is merged with someone else’s: %s of mine',
    (key) => {
      const changed = { ...base, [key]: key === 'tiles' ? [] : key === 'name' ? 'Mine' : undefined };
      // Without its section a tile is in none.
      const mine = key === 'containers' ? { ...changed, tiles: base.tiles.map(outside) } : changed;
      const merged = mergeDashboards(mine, base, differencesOf(base, mine, base), new Map());
      expect(merged).toEqual(mine);
    },
  );

  it('new tiles and filters leave their ids to the server', () => {
    const [tile, filter] = [base.tiles[0], base.filters?.[0]];
    const grown = { ...base, tiles: [...base.tiles, { ...tile, id: 'new' }], filters: [{ ...filter, id: 'new' }] };
    const { tiles, filters } = dashboardBody(grown as Dashboard, base);
    expect([tiles?.map(({ id }) => id), filters?.map(({ id }) => id)]).toEqual([['t1', undefined], [undefined]]);
  });

  const rule = {
    ...{ source: 'tile', dashboardId: 'd1', tileId: 't1', interval: '5m', name: 'n', message: 'm', note: 'o' },
    ...{ threshold: 1, numConsecutiveWindows: 2, scheduleOffsetMinutes: 3, scheduleStartAt: '2026-01-01T00:00:00Z' },
    ...{ missingData: 'keep', repeatInterval: '1h', enabled: false },
    ...{ displayName: 'Shop', tags: ['team:shop'], detectionMode: 'threshold' },
    channels: [
      { type: 'webhook', webhookId: 'w1', severity: 'critical', slackChannelId: 'C1' },
      { type: 'webhook', webhookId: 'w1', severity: 'info' },
    ],
  } as const;
  const rules: Record<string, object> = {
    'on a tile': { ...rule, thresholdType: 'above', recoveryThreshold: 0.5 },
    'with a range': { ...rule, thresholdType: 'between', thresholdMax: 9 },
    'on a saved search': {
      ...Object.fromEntries(Object.entries(rule).filter(([key]) => key !== 'dashboardId' && key !== 'tileId')),
      ...{ source: 'saved_search', savedSearchId: 'q1', groupBy: 'a', thresholdType: 'below' },
    },
  };

  it.each(Object.entries(rules))('an alert %s', (_, alert) => {
    const record = {
      id: 'a1',
      teamId: 't',
      state: 'OK',
      channel: { type: 'webhook', webhookId: 'w1' },
      ...alert,
      ...times,
    };
    const stored = bodyOfAlert(record as never);
    expect(ruleOf(draftOfAlert(stored), stored)).toEqual(alert);
  });

  it('no field of alerts is forgotten here', () => {
    const named = new Set(Object.values(rules).flatMap((alert) => Object.keys(alert)));
    // `channel` says the first of `channels` once more.
    expect([...named, 'channel'].sort()).toEqual(keysOf(AlertInputSchema));
    expect((rules['on a tile'] as AlertInput).channels).toHaveLength(2);
  });

  const webhook = { name: 'ops', service: 'generic', url: 'https://example.org', description: 'd' } as const;

  it.each<[string, object]>([
    ['with a body', { ...webhook, body: '{{title}}' }],
    ['with a template', { ...webhook, template: 'msteams' }],
    ['of slack', { ...webhook, service: 'slack' }],
  ])('a webhook %s', (_, content) => {
    // decisions A9: secrets that a request leaves out stay as they are.
    expect(webhookOfDraft(draftOfWebhook({ id: 'w1', ...times, ...content } as never))).toEqual(content);
  });

  it('no field of webhooks that is returned is forgotten here', () => {
    expect(keysOf(WebhookSchema)).toEqual(
      [...Object.keys(webhook), 'body', 'template', 'id', ...Object.keys(times)].sort(),
    );
    const secrets = ['headers', 'queryParams', 'signingSecret', 'routingKey'];
    expect(keysOf(WebhookInputSchema)).toEqual([...Object.keys(webhook), 'body', 'template', ...secrets].sort());
  });

  it('a saved search', () => {
    const question = { sourceId: 's1', where: 'a:b', whereLanguage: 'lucene' } as const;
    const content: Required<SavedSearchInput> = {
      ...{ name: 'Errors', tags: ['a'], select: 'Body', orderBy: 'Timestamp', filters: [{ condition: 'a IN (1)' }] },
      ...question,
    };
    const record: SavedSearchRecord = { id: 'q1', teamId: 't', ...times, ...content };
    expect(changedSearch(record, question)).toEqual(content);
    expect(Object.keys(content).sort()).toEqual(keysOf(SavedSearchInputSchema));
  });

  it.each<[string, object]>([
    ['once', {}],
    ['every week', { recurrence: { days: ['mon'], from: '22:00', to: '06:00', timezone: 'Europe/Berlin' } }],
  ])('a silence %s', (_, more) => {
    const content = {
      ...{ name: 'Night', comment: 'c', startsAt: '2026-01-01T00:00:30.123Z', endsAt: '2026-01-02T00:00:07.000Z' },
      match: { alertIds: ['a1'], tags: ['x'], groups: [{ key: 'k=l', value: ' v ' }, { value: 'a=b' }, { value: '' }] },
      ...more,
    };
    const record = { id: 'z1', teamId: 't', active: false, createdBy: 'u', ...times, ...content } as never;
    expect(silenceOfDraft(draftOfSilence(record, 'Asia/Tokyo'), record)).toEqual(content);
    expect([...Object.keys(content), 'recurrence'].sort()).toEqual(
      expect.arrayContaining([...keysOf(SilenceInputSchema)]),
    );
  });
});

function outside({ containerId: _container, tabId: _tab, ...tile }: Tile): Tile {
  return tile;
}
