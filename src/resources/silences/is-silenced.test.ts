import { describe, expect, it } from 'vitest';
import type { Recurrence, SilenceMatch } from '../../contract/silence.ts';
import { isActive, isSilenced } from './is-silenced.ts';
import type { Silence } from './silence-repository.ts';

const alert = { id: 'a1', tags: ['shop', 'eu'] };
const pod = (value: string) => [{ key: 'pod', value }];

function silenceOf(parts: Partial<Silence> = {}): Silence {
  return {
    id: 's1',
    name: 'Release',
    match: {},
    startsAt: '2026-01-01T10:00:00.000Z',
    endsAt: '2026-01-01T12:00:00.000Z',
    createdBy: 'u1',
    createdAt: '',
    updatedAt: '',
    ...parts,
  };
}

const at = (text: string) => Date.parse(text);

describe('when', () => {
  it.each([
    ['2026-01-01T09:59:59.999Z', false],
    ['2026-01-01T10:00:00.000Z', true],
    ['2026-01-01T11:59:59.999Z', true],
    ['2026-01-01T12:00:00.000Z', false],
  ])('once, from its start until its end: %s → %s', (instant, active) => {
    expect(isActive(silenceOf(), at(instant))).toBe(active);
  });

  const night: Recurrence = { days: ['sat'], from: '22:00', to: '06:00', timezone: 'Europe/Berlin' };
  const recurring = (recurrence: Recurrence, parts: Partial<Silence> = {}): Silence => {
    const { endsAt: _never, ...rest } = silenceOf({ startsAt: '2026-01-01T00:00:00.000Z', recurrence });
    return { ...rest, ...parts };
  };

  // 2026-03-28 is a Saturday; in the night after it the clocks go from 02:00 to 03:00. 2026-10-24 is a Saturday; in the
  // night after it they go from 03:00 back to 02:00.
  it.each([
    ['winter, before it begins', '2026-01-10T20:59:00Z', false],
    ['winter, 22:00 in Berlin', '2026-01-10T21:00:00Z', true],
    ['winter, over midnight', '2026-01-11T00:30:00Z', true],
    ['winter, 05:59', '2026-01-11T04:59:59Z', true],
    ['winter, 06:00', '2026-01-11T05:00:00Z', false],
    ['the night before is not named', '2026-01-10T00:30:00Z', false],
    ['the night after is not named', '2026-01-11T22:30:00Z', false],
    ['summer, 22:00 is an hour earlier in UTC', '2026-07-11T20:00:00Z', true],
    ['summer, not before', '2026-07-11T19:59:00Z', false],
    ['summer, 06:00', '2026-07-12T04:00:00Z', false],
    ['the night of 7 hours: begins in winter', '2026-03-28T21:00:00Z', true],
    ['the night of 7 hours: after the change', '2026-03-29T01:30:00Z', true],
    ['the night of 7 hours: 05:59 in summer', '2026-03-29T03:59:00Z', true],
    ['the night of 7 hours: 06:00 in summer', '2026-03-29T04:00:00Z', false],
    ['the night of 9 hours: begins in summer', '2026-10-24T20:00:00Z', true],
    ['the night of 9 hours: 02:30 for the first time', '2026-10-25T00:30:00Z', true],
    ['the night of 9 hours: 02:30 for the second time', '2026-10-25T01:30:00Z', true],
    ['the night of 9 hours: 05:59 in winter', '2026-10-25T04:59:00Z', true],
    ['the night of 9 hours: 06:00 in winter', '2026-10-25T05:00:00Z', false],
  ])('Saturdays 22:00 to 06:00 in Berlin: %s', (_case, instant, active) => {
    expect(isActive(recurring(night), at(instant))).toBe(active);
  });

  it.each([
    ['Asia/Kolkata', '2026-01-05T03:30:00Z', true],
    ['Asia/Kolkata', '2026-01-05T03:29:00Z', false],
    ['America/New_York', '2026-01-05T14:00:00Z', true],
    ['America/New_York', '2026-07-06T13:00:00Z', true],
    ['America/New_York', '2026-07-06T12:59:00Z', false],
    ['UTC', '2026-01-05T09:00:00Z', true],
    ['UTC', '2026-01-05T17:00:00Z', false],
  ])('Mondays 09:00 to 17:00 in %s: %s → %s', (timezone, instant, active) => {
    const office: Recurrence = { days: ['mon'], from: '09:00', to: '17:00', timezone };
    expect(isActive(recurring(office), at(instant))).toBe(active);
  });

  it.each([
    ['2026-01-04T23:59:00Z', false],
    ['2026-01-05T00:00:00Z', true],
    ['2026-01-05T23:59:00Z', true],
    ['2026-01-06T00:00:00Z', false],
  ])('from 00:00 to 00:00 is the whole day: %s → %s', (instant, active) => {
    const whole: Recurrence = { days: ['mon'], from: '00:00', to: '00:00', timezone: 'UTC' };
    expect(isActive(recurring(whole), at(instant))).toBe(active);
  });

  it('a recurring one only between its start and its end', () => {
    const daily: Recurrence = {
      days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
      from: '08:00',
      to: '10:00',
      timezone: 'UTC',
    };
    const limited = recurring(daily, { startsAt: '2026-02-02T09:00:00Z', endsAt: '2026-02-03T09:00:00Z' });
    const seen = ['02T08:30', '02T09:30', '02T12:00', '03T08:30', '03T09:30', '04T08:30'];
    expect(seen.map((time) => isActive(limited, at(`2026-02-${time}:00Z`)))).toEqual([
      false,
      true,
      false,
      true,
      false,
      false,
    ]);
  });
});

describe('what', () => {
  const inForce = at('2026-01-01T11:00:00Z');
  const cases: [string, SilenceMatch, string[], boolean][] = [
    ['nothing named: everything', {}, ['p1'], true],
    ['this alert', { alertIds: ['a0', 'a1'] }, ['p1'], true],
    ['another alert', { alertIds: ['a0'] }, ['p1'], false],
    ['a tag of its dashboard', { tags: ['us', 'eu'] }, ['p1'], true],
    ['another tag', { tags: ['us'] }, ['p1'], false],
    ['this group, whatever the key', { groups: [{ value: 'p1' }] }, ['p1'], true],
    ['this group by key', { groups: [{ key: 'pod', value: 'p1' }] }, ['p1'], true],
    ['the same value of another key', { groups: [{ key: 'host', value: 'p1' }] }, ['p1'], false],
    ['another group', { groups: [{ value: 'p2' }] }, ['p1'], false],
    ['a group, of an alert without groups', { groups: [{ value: 'p1' }] }, [], false],
    ['each list must fit: it does', { alertIds: ['a1'], tags: ['shop'], groups: [{ value: 'p1' }] }, ['p1'], true],
    ['each list must fit: one does not', { alertIds: ['a1'], tags: ['us'] }, ['p1'], false],
  ];
  it.each(cases)('%s', (_case, match, pods, silenced) => {
    const group = pods.flatMap(pod);
    expect(isSilenced([silenceOf({ match })], alert, group, inForce)).toBe(silenced);
  });

  it('one of several is enough; none silences nothing', () => {
    const other = silenceOf({ match: { alertIds: ['a0'] } });
    expect(isSilenced([other, silenceOf()], alert, [], inForce)).toBe(true);
    expect(isSilenced([other], alert, [], inForce)).toBe(false);
    expect(isSilenced([], alert, [], inForce)).toBe(false);
  });
});
