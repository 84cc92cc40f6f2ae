import { describe, expect, it } from 'vitest';
import { messageOf, newYearMs } from '../../../test/support/alert-fixtures.ts';
import type { Notification } from '../../evaluator/ports.ts';
import { composeMessage } from './message.ts';
import { renderPayload } from './payload.ts';
import { renderJson, renderText } from './templates.ts';
import { valueText } from './threshold-text.ts';

const publicUrl = 'https://obs.example.com/hx/';
const awkward = 'disk "C:\\tmp"\nfull {{title}} <b> 🚨';

function message(parts: Partial<Notification> = {}, alert: Partial<Notification['alert']> = {}) {
  const outgoing = messageOf('tenant', { eventId: 'event-1' });
  const { notification } = outgoing;
  const changed = { ...notification, ...parts, alert: { ...notification.alert, ...alert } };
  return composeMessage({ ...outgoing, notification: changed }, publicUrl);
}

const generic = (body?: string) => ({ service: 'generic' as const, ...(body !== undefined && { body }) });
const group = [
  { key: 'service.name', value: 'checkout' },
  { key: 'host', value: 'h"1' },
];

describe('the default generic body (decisions A9)', () => {
  it('U-50: holds name, state, value, threshold with symbol, group keys and values, window, link, tile', () => {
    const body = renderPayload(generic(), message({ group }, { name: 'Slow checkout' }));
    expect(JSON.parse(body)).toMatchObject({
      title: '🚨 Slow checkout',
      state: 'ALERT',
      value: 7,
      threshold: 5,
      thresholdSymbol: '≥',
      eventId: 'event-1',
      group: { 'service.name': 'checkout', host: 'h"1' },
      startTime: newYearMs,
      endTime: newYearMs + 60_000,
      alert: { name: 'Slow checkout' },
      tile: { name: 'Errors' },
      dashboard: { name: 'Shop' },
    });
    const { text } = JSON.parse(body);
    for (const part of ['Slow checkout', 'checkout', '7', '≥ 5', 'ALERT', 'event-1', publicUrl])
      expect(text).toContain(part);
  });

  it('resolved differs by state and keeps the event id (U-42)', () => {
    const [firing, resolved] = [message(), message({ reason: 'resolved', value: 2 })];
    expect([firing.state, resolved.state]).toEqual(['ALERT', 'OK']);
    expect(resolved.eventId).toBe(firing.eventId);
    expect(resolved.title).toBe('✅ Alert for "Errors" in "Shop" - 2 falls below 5');
  });

  it('without a name the title says what is watched and what was seen', () => {
    expect(message().title).toBe('🚨 Alert for "Errors" in "Shop" - 7 meets or exceeds 5');
  });
});

describe('U-51: links', () => {
  it('start with the public URL and show the breached window, the tile highlighted', () => {
    const link = new URL(message().link);
    expect(link.href.startsWith('https://obs.example.com/hx/dashboards/d00000000000000000000001?')).toBe(true);
    expect(Number(link.searchParams.get('from'))).toBeLessThanOrEqual(newYearMs);
    expect(Number(link.searchParams.get('to'))).toBeGreaterThanOrEqual(newYearMs + 60_000);
    expect(link.searchParams.get('highlightedTileId')).toBe('t1');
  });
});

describe('templates', () => {
  it('U-40: {"t":"{{title}}","b":"{{body}}","u":"{{link}}"} is filled', () => {
    const sent = message();
    const body = renderPayload(generic('{"t":"{{title}}","b":"{{body}}","u":"{{link}}"}'), sent);
    expect(JSON.parse(body)).toEqual({ t: sent.title, b: sent.body, u: sent.link });
  });

  it('U-41: quotes, backslashes and line breaks in values keep the JSON whole and come out exactly', () => {
    const named = [{ key: 'msg', value: awkward }];
    const body = renderPayload(
      generic('{"g":"{{group}}","v":{{value}},"j":{{ attributes.msg | json }}}'),
      message({ group: named }),
    );
    expect(JSON.parse(body)).toEqual({ g: `msg:${awkward}`, v: 7, j: awkward });
  });

  it('variables of the alert’s name and message: alert, attributes nested by dots, dashboard, value, …', () => {
    const text =
      '{{alert.threshold}} {{attributes.service.name}} {{dashboard.name}} {{tile.name}} {{value}} {{granularity}}';
    expect(message({ group }, { name: text }).title).toBe('🚨 5 checkout Shop Errors 7 1m');
    expect(message({ group }, { message: '{% if isGroupedAlert %}{{group}}{% endif %}' }).body).toContain(
      'service.name:checkout',
    );
  });

  it('what stands in a value is never a template', () => {
    expect(message({ group: [{ key: 'a', value: '{{alert.id}}' }] }, { name: '{{group}}' }).title).toBe(
      '🚨 a:{{alert.id}}',
    );
  });

  it('U-50: an unknown variable stays visible', () => {
    expect(message({}, { name: 'x {{nope}} {{value}}' }).title).toBe('🚨 x {{nope}} 7');
  });

  it('a broken template of a name stands as it is; of a body gives the default body', () => {
    expect(message({}, { name: 'x {{#is_match a}}' }).title).toBe('🚨 x {{#is_match a}}');
    expect(JSON.parse(renderPayload(generic('{"a":{{ % }}'), message()))).toHaveProperty('eventId');
  });

  it('plain text bodies are not escaped', () => {
    expect(renderPayload(generic('{{group}}'), message({ group }))).toBe('service.name:checkout, host:h"1');
  });

  it.each([
    [
      'a loop bomb',
      '{% for a in (1..1000) %}{% for b in (1..1000) %}{% for c in (1..1000) %}x{% endfor %}{% endfor %}{% endfor %}',
    ],
    [
      'a memory bomb',
      '{% assign s = "xxxxxxxxxx" %}{% for a in (1..60) %}{% assign s = s | append: s %}{% endfor %}{{ s }}',
    ],
    ['an endless text', `{{ value }}${'x'.repeat(30_000)}`],
    ['a file', '{% include "/etc/passwd" %}{{ value }}'],
    ['a prototype', '{{ value.constructor.name }}'],
  ])('are stopped: %s', (_title, template) => {
    expect(renderText(template, { value: 7 })).toBeUndefined();
    expect(renderJson(template, { value: 7 })).toBeUndefined();
  });
});

describe('slack', () => {
  const slack = (parts: Partial<Notification['alert']>) =>
    JSON.parse(renderPayload({ service: 'slack' }, message({}, parts)));

  it('text and one mrkdwn section with the linked title', () => {
    const sent = message({}, { name: 'a <b> & c' });
    expect(slack({ name: 'a <b> & c' })).toEqual({
      text: '🚨 a <b> & c',
      blocks: [
        {
          type: 'section',
          text: { type: 'mrkdwn', text: expect.stringContaining(`*<${sent.link}|🚨 a &lt;b&gt; &amp; c>*\n`) },
        },
      ],
    });
  });

  it.each(['x', '&', '🚨'])(
    'U-46: 10 000 × %s are shortened to 3000 characters with a marker, the link stays',
    (sign) => {
      const { text, blocks } = slack({ message: sign.repeat(10_000) });
      const block: string = blocks[0].text.text;
      expect(text.length).toBeLessThanOrEqual(3000);
      expect(block.length).toBeLessThanOrEqual(3000);
      expect(block.endsWith('… (shortened)')).toBe(true);
      expect(block).toContain('/dashboards/');
      expect(block).not.toMatch(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])/);
    },
  );
});

it('incidentio is the generic body with the keys of an incident', () => {
  const body = JSON.parse(renderPayload({ service: 'incidentio' }, message({ reason: 'resolved' })));
  expect(body).toMatchObject({ status: 'resolved', deduplication_key: 'event-1', state: 'OK', value: 7, threshold: 5 });
});

it('values: whole numbers in full, others with the decimals of the threshold, a small one never as 0', () => {
  expect([12345678, 7.456, 0.0001, 1e-9].map((value) => valueText(value, 5))).toEqual([
    '12345678',
    '7.46',
    '0.0001',
    '1e-9',
  ]);
  expect(valueText(0.65432, 0.1234)).toBe('0.6543');
  expect(valueText(null, 1)).toBe('no data');
});
