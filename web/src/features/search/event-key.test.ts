import { describe, expect, it } from 'vitest';
import { eventKey, findByKey, instantOfKey } from './event-key.ts';
import { rangesAround, scopeWhere, spans } from './surrounding.ts';
import { logSource } from './testing.ts';

const time = '2026-11-28T06:07:41.855000001Z';
const row = { time, level: 'info', service: 'cart', text: 'a', durationNs: undefined, traceId: '', spanId: '' };

describe('the key of an event', () => {
  it('finds it among thousands of the same instant', () => {
    const rows = Array.from({ length: 5000 }, (_, index) => ({ ...row, text: `order ${index}` }));
    expect(new Set(rows.map(eventKey)).size).toBe(rows.length);
    for (const each of rows.slice(0, 50)) expect(findByKey(rows, eventKey(each))).toBe(each);
  });

  it('names its instant, and is none without one', () => {
    expect(instantOfKey(eventKey(row))).toBe(time);
    for (const text of ['', 'x', time, '2026-11-28.abc', `${time}.ABC`]) expect(instantOfKey(text)).toBeUndefined();
    expect(findByKey([row], 'nonsense')).toBeUndefined();
  });
});

describe('events around one', () => {
  it('are those of its service, host or pod, as far as it has them', () => {
    const detail = { ResourceAttributes: { 'host.name': "o'hara" } };
    expect(scopeWhere('service', row, logSource, undefined)).toBe("ServiceName = 'cart'");
    expect(scopeWhere('host', row, logSource, detail)).toBe("ResourceAttributes['host.name'] = 'o\\'hara'");
    expect(scopeWhere('pod', row, logSource, detail)).toBeUndefined();
    expect(scopeWhere('host', row, logSource, undefined)).toBeUndefined();
    expect(scopeWhere('service', { ...row, service: '' }, logSource, detail)).toBeUndefined();
    expect(scopeWhere('all', row, logSource, undefined)).toBe('');
  });

  it.each(spans)('reach $label to both sides, without a gap', (span) => {
    const { earlier, later } = rangesAround(row, span);
    const atMs = Date.parse(time);
    expect(earlier).toEqual({ startMs: atMs - span.ms, endMs: later.startMs });
    expect(later.endMs - 1).toBe(atMs + span.ms);
    expect(later.startMs).toBe(atMs + 1);
  });
});
