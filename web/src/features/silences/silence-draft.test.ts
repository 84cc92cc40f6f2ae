import { describe, expect, it } from 'vitest';
import { draftOfSilence, silenceOfDraft } from './silence-draft.ts';

const empty = draftOfSilence(undefined, 'Europe/Berlin');

describe('the draft of a silence', () => {
  it('comes back every week by the clock of a time zone', () => {
    expect(silenceOfDraft({ ...empty, name: 'Nights', kind: 'weekly', days: ['mon'] })).toEqual({
      name: 'Nights',
      match: {},
      recurrence: { days: ['mon'], from: '22:00', to: '06:00', timezone: 'Europe/Berlin' },
    });
  });

  it('takes a group as key=value, or a value alone for any key', () => {
    const draft = { ...empty, name: 'x', endsAt: '2030-01-01T10:00', groups: ['ServiceName=shop', 'eu'] };
    expect(silenceOfDraft(draft)?.match.groups).toEqual([{ key: 'ServiceName', value: 'shop' }, { value: 'eu' }]);
  });

  it('is nothing to send without a name or an end', () => {
    expect(silenceOfDraft({ ...empty, name: 'x' })).toBeUndefined();
    expect(silenceOfDraft({ ...empty, endsAt: '2030-01-01T10:00' })).toBeUndefined();
  });
});
