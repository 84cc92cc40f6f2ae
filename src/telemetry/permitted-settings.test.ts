import { describe, expect, it } from 'vitest';
import { permittedSettings, rulesOf, type SettingRule } from './permitted-settings.ts';

const free = (value: string): SettingRule => ({ value, min: null, max: null, isFixed: false });
const fixed = (value: string): SettingRule => ({ ...free(value), isFixed: true });
const rules = (entries: Record<string, SettingRule>) => new Map(Object.entries(entries));

describe('what a restricted user may send', () => {
  it.each([
    ['everything, where nothing is restricted', { max_execution_time: 30 }, {}, { max_execution_time: 30 }],
    [
      'limits only within their bounds',
      { max_execution_time: 30 },
      { max_execution_time: { ...free('1'), max: '2' } },
      { max_execution_time: 2 },
    ],
    [
      'limits only above their lower bound',
      { max_threads: 1 },
      { max_threads: { ...free('8'), min: '4' } },
      { max_threads: 4 },
    ],
    [
      'no limit that is fixed',
      { max_memory_usage: 5, max_threads: 1 },
      { max_memory_usage: fixed('9') },
      { max_threads: 1 },
    ],
    ['nothing that has its value already', { session_timezone: 'UTC' }, { session_timezone: fixed('UTC') }, {}],
    ['no other name of the same zone', { session_timezone: 'UTC' }, { session_timezone: fixed('Etc/UTC') }, {}],
    ['no readonly, where the user is limited to reading', { readonly: 1 }, { readonly: fixed('2') }, {}],
    ['no readonly, where the user may not even change settings', { readonly: 1 }, { readonly: fixed('1') }, {}],
    ['nothing, where a fixed user may write', { readonly: 1 }, { readonly: fixed('0') }, undefined],
    [
      'nothing in another time zone',
      { session_timezone: 'UTC' },
      { session_timezone: fixed('Europe/Berlin') },
      undefined,
    ],
    [
      'nothing in another format',
      { date_time_output_format: 'iso' },
      { date_time_output_format: fixed('simple') },
      undefined,
    ],
  ])('%s', (_, wanted, restricted, sent) => {
    expect(permittedSettings(wanted, rules(restricted))).toEqual(sent);
  });

  it('is read from the columns of system.settings', () => {
    const columns = [
      ['a', 'b'],
      ['1', '2'],
      [null, '0'],
      [null, '9'],
      [1, 0],
    ];
    expect(rulesOf(columns)).toEqual(rules({ a: fixed('1'), b: { value: '2', min: '0', max: '9', isFixed: false } }));
  });
});
