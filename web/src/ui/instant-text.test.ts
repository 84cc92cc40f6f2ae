import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { instantOfWall, instantText, withLocalTimes, zoneAt } from './instant-text.ts';
import { pageZone, setZone } from './page-zone.ts';

afterEach(() => setZone('local'));

describe('the clock of the pages', () => {
  it('is local, to the minute, or to the second where there is one', () => {
    expect(instantText(new Date(2026, 10, 8, 9, 5, 0).getTime())).toBe('2026-11-08 09:05');
    expect(instantText(new Date(2026, 10, 8, 21, 5, 7).toISOString())).toBe('2026-11-08 21:05:07');
  });

  it('says what it can’t read', () => {
    expect(instantText('yesterday')).toBe('unreadable time');
    expect(instantText(Number.NaN)).toBe('unreadable time');
  });

  it('is also that of the API’s sentences', () => {
    const at = new Date(2026, 10, 8, 9, 5, 7);
    expect(withLocalTimes(`3 spans were rejected, the last at ${at.toISOString()}: check 2026-11-08.`)).toBe(
      '3 spans were rejected, the last at 2026-11-08 09:05:07: check 2026-11-08.',
    );
  });

  it.each([
    ['UTC', '2026-07-01 12:00', 'UTC'],
    ['Europe/Berlin', '2026-07-01 14:00', 'UTC+2'],
    ['Asia/Kathmandu', '2026-07-01 17:45', 'UTC+5:45'],
    ['America/St_Johns', '2026-07-01 09:30', 'UTC-2:30'],
  ])('is that of the chosen zone: %s', (zone, text, offset) => {
    setZone(zone);
    const atMs = Date.UTC(2026, 6, 1, 12);
    expect([instantText(atMs), zoneAt(atMs), pageZone()]).toEqual([text, { name: zone, offset }, zone]);
  });

  it('reads what it writes, in any zone, but for the hour that comes twice', () => {
    const zones = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu');
    const minutes = fc.integer({ min: Date.UTC(2020) / 60_000, max: Date.UTC(2030) / 60_000 });
    fc.assert(
      fc.property(zones, minutes, (zone, minute) => {
        setZone(zone);
        const read = instantOfWall(instantText(minute * 60_000).replace(' ', 'T'));
        expect(instantText(read)).toBe(instantText(minute * 60_000));
        expect([0, 30, 60]).toContain(minute - read / 60_000);
      }),
    );
  });

  it('an hour that is left out is the one after it', () => {
    setZone('Europe/Berlin');
    expect(instantText(instantOfWall('2026-03-29T02:30'))).toBe('2026-03-29 03:30');
  });

  it('a zone that is none is that of the browser', () => {
    setZone('Mars/Olympus');
    expect(pageZone()).toBe(Intl.DateTimeFormat().resolvedOptions().timeZone);
  });

  it('names its zone', () => {
    const { name, offset } = zoneAt(Date.UTC(2026, 0, 1));
    expect(name).toBe(Intl.DateTimeFormat().resolvedOptions().timeZone);
    expect(offset).toMatch(/^UTC([+-]\d{1,2}(:\d{2})?)?$/);
  });
});
