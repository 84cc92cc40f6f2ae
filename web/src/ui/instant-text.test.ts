import { describe, expect, it } from 'vitest';
import { instantText, withLocalTimes, zoneAt } from './instant-text.ts';

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

  it('names its zone', () => {
    const { name, offset } = zoneAt(Date.UTC(2026, 0, 1));
    expect(name).toBe(Intl.DateTimeFormat().resolvedOptions().timeZone);
    expect(offset).toMatch(/^UTC([+-]\d{1,2}(:\d{2})?)?$/);
  });
});
