import { expect, it } from 'vitest';
import { alertOf, minuteMs, newYearMs } from '../../../test/support/alert-fixtures.ts';
import type { MuteCheck } from '../../evaluator/ports.ts';
import type { AlertMarks } from '../alerts/alert.ts';
import { FakeSilenceRepository } from './fake-silence-repository.ts';
import { SilenceMuting } from './silence-muting.ts';
import type { Silence } from './silence-repository.ts';

const iso = (minutes: number) => new Date(newYearMs + minutes * minuteMs).toISOString();

function silenceOf(id: string, parts: Partial<Silence>): Silence {
  const times = { startsAt: iso(0), endsAt: iso(60), createdAt: iso(0), updatedAt: iso(0) };
  return { id, name: id, match: {}, createdBy: 'u', ...times, ...parts };
}

const alerts = Array.from({ length: 12 }, (_, index) =>
  alertOf({ id: `a${index}`, dashboardId: index % 2 ? 'shop' : 'other' }),
);
const marks = new Map<string, AlertMarks>([
  ['a2', { silenced: { by: 'u', at: iso(0), until: iso(30) } }],
  ['a4', { acknowledged: { by: 'u', at: iso(5) } }],
]);

/** Counts what is looked up. */
async function world() {
  const silences = new FakeSilenceRepository();
  await silences.insert('acme', silenceOf('by id', { match: { alertIds: ['a0'] } }));
  await silences.insert('acme', silenceOf('by tag', { match: { tags: ['shop'] }, endsAt: iso(20) }));
  await silences.insert('acme', silenceOf('by group', { match: { groups: [{ value: 'p1' }] } }));
  const lookUps: string[] = [];
  const muting = new SilenceMuting({
    silences: {
      listUnended: (tenantId, atMs) => {
        lookUps.push(`silences of ${tenantId}`);
        return silences.listUnended(tenantId, atMs);
      },
    },
    alerts: {
      findMarks: async (tenantId) => {
        lookUps.push(`marks of ${tenantId}`);
        return tenantId === 'acme' ? marks : new Map();
      },
    },
    dashboards: {
      find: async (_tenantId, id) => {
        lookUps.push(`dashboard ${id}`);
        return { dashboard: { id, name: id, tags: [id], tiles: [] }, version: 1 };
      },
    },
    savedSearches: { find: async () => undefined },
  });
  return { muting, lookUps };
}

const answers = (muted: MuteCheck) =>
  ['p1', 'p2'].map((value) => muted([{ key: 'pod', value }], newYearMs + minuteMs) ?? 'notified');

it('alerts that fire at the same time share one lookup, with the same result as alone', async () => {
  const asked = ['acme', 'globex'].flatMap((tenantId) =>
    alerts.flatMap((alert) => [10, 40].map((minute) => ({ tenantId, alert, minute }))),
  );
  const { muting, lookUps } = await world();
  const ask = ({ tenantId, alert, minute }: (typeof asked)[number]) =>
    muting.of(tenantId, alert, [newYearMs + minute * minuteMs]);
  const together = (await Promise.all(asked.map(ask))).map(answers);
  expect(lookUps.toSorted()).toEqual([
    'dashboard other',
    'dashboard shop',
    'marks of acme',
    'marks of globex',
    'silences of acme',
    'silences of globex',
  ]);
  const alone: string[][] = [];
  for (const each of asked) alone.push(answers(await ask(each)));
  expect(together).toEqual(alone);
  const of = (id: string, minute: number) =>
    together[asked.findIndex((each) => each.alert.id === id && each.minute === minute)];
  expect([of('a0', 10), of('a1', 10), of('a1', 40), of('a2', 10), of('a2', 40), of('a4', 40)]).toEqual([
    ['silenced', 'silenced'],
    ['silenced', 'silenced'],
    ['silenced', 'notified'],
    ['silenced', 'silenced'],
    ['silenced', 'notified'],
    ['silenced', 'acknowledged'],
  ]);
});
