import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { messageOf, newYearMs } from '../../../test/support/alert-fixtures.ts';
import type { Notification } from '../../evaluator/ports.ts';
import { valueText } from './condition-text.ts';
import { composeMessage, type Message, mentionsOf } from './message.ts';
import { type Receiver, renderPayload as renderFor } from './payload.ts';
import { renderJson, renderText } from './templates.ts';

const payloadOf = (receiver: Receiver, { notification, eventId }: Message) => {
  const { problems, ...payload } = renderFor(
    receiver,
    { ...messageOf('tenant', { eventId }), notification },
    { pagesUrl },
  );
  return { ...payload, problem: problems.at(-1) };
};
const renderPayload = (...parts: Parameters<typeof payloadOf>) => payloadOf(...parts).body;
const pagesUrl = 'https://obs.example.com/hx';
const awkward = 'disk "C:\\tmp"\nfull {{title}} <b> 🚨';

function message(parts: Partial<Notification> = {}, alert: Partial<Notification['alert']> = {}) {
  const outgoing = messageOf('tenant', { eventId: 'event-1' });
  const { notification } = outgoing;
  const changed = { ...notification, ...parts, alert: { ...notification.alert, ...alert } };
  return composeMessage({ ...outgoing, notification: changed }, { pagesUrl });
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
    for (const part of ['Slow checkout', 'checkout', '7', '≥ 5', 'ALERT', 'event-1', pagesUrl])
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

  it('U-41: whatever name and group contain, the JSON parses to exactly that', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary', minLength: 1 }), (value, note) => {
        const sent = message({ group: [{ key: 'k', value }] }, { note });
        const template = '{"t":"{{title}}","b":"{{body}}","v":"{{attributes.k}}","n":{{alert.note | json}}}';
        expect(JSON.parse(renderPayload(generic(template), sent))).toEqual({
          t: sent.title,
          b: sent.body,
          v: value || '(empty)',
          n: note,
        });
      }),
    );
  });

  it.each(['{', '{{', '{{{ ', '{%', '{{#eq "', '@webhook-{{', "'"])(
    'a body of %j repeated many times is recognized quickly',
    (part) => {
      const template = part.repeat(16_384 / part.length);
      expect(payloadOf(generic(template), message({}, { message: template.slice(0, 4096) })).body).not.toBe('');
    },
  );

  it('the example of docs/webhooks.md makes JSON', () => {
    const page = readFileSync(new URL('../../../docs/webhooks.md', import.meta.url), 'utf8');
    const template = /^\{"summary".*$/m.exec(page)?.[0] ?? '';
    expect(JSON.parse(renderPayload(generic(template), message()))).toMatchObject({ value: 7, open: true });
  });

  it('U-110: the mail of docs/webhooks.md has one recipient and a subject of one line, whatever the alert is called', () => {
    const page = readFileSync(new URL('../../../docs/webhooks.md', import.meta.url), 'utf8');
    const template = /^\{"to".*$/m.exec(page)?.[0] ?? '';
    const { body, problem } = payloadOf(generic(template), message({}, { name: 'disk full\r\nBcc: x@example.com' }));
    expect(problem).toBeUndefined();
    expect(JSON.parse(body)).toEqual({
      to: 'ops@example.com',
      subject: '🚨 disk fullBcc: x@example.com',
      text: expect.stringContaining('https://obs.example.com/hx/dashboards/'),
    });
  });

  it('variables of the alert’s name and message: alert, attributes nested by dots, dashboard, value, …', () => {
    const text =
      '{{alert.threshold}} {{attributes.service.name}} {{dashboard.name}} {{tile.name}} {{value}} {{granularity}}';
    expect(message({ group }, { name: text }).title).toBe('🚨 5 checkout Shop Errors 7 1m');
    expect(message({ group }, { message: '{% if isGroupedAlert %}{{group}}{% endif %}' }).body).toContain(
      'service.name:checkout',
    );
  });

  it('text in a value is never a template', () => {
    expect(message({ group: [{ key: 'a', value: '{{alert.id}}' }] }, { name: '{{group}}' }).title).toBe(
      '🚨 a:{{alert.id}}',
    );
  });

  it('U-50: an unknown variable stays visible', () => {
    expect(message({}, { name: 'x {{nope}} {{value}}' }).title).toBe('🚨 x {{nope}} 7');
  });

  it('a broken name template is shown unchanged; a broken body template gives the default body', () => {
    const named = message({}, { name: 'x {{#is_match a}}' });
    expect(named.title).toBe('🚨 x {{#is_match a}}');
    expect(named.problems).toEqual([expect.stringMatching(/^The alert’s name is not a usable template \(/)]);
    const { body, problem } = payloadOf(generic('{"a":{{ % }}'), message());
    expect(JSON.parse(body)).toHaveProperty('eventId');
    expect(problem).toMatch(/^The webhook’s body is not a usable template \(/);
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
    ['a prototype', '{{ value.constructor.name }}'],
    ['a file', '{% include "/etc/passwd" %}{{ value }}'],
  ])('are stopped: %s', (_title, template) => {
    const broken = { kind: 'broken', problem: expect.not.stringContaining('\n') };
    expect(renderText(template, { value: 7 })).toEqual(broken);
    expect(renderJson(template, { value: 7 })).toEqual(broken);
  });
});

describe('templates of other products (contract §3.6)', () => {
  const firing = { group, value: 7 };
  const bodyFor = (template: string, parts: Partial<Notification> = firing) =>
    renderPayload(generic(template), message(parts));

  it.each([
    ['{"s":"{{#if isGroupedAlert}}{{{group}}}{{else}}none{{/if}}"}', 'service.name:checkout, host:h"1'],
    ['{"s":"{{#eq state "ALERT"}}red{{else}}green{{/eq}}"}', 'red'],
    ['{"s":"{{#unless isGroupedAlert}}one{{else}}many{{/unless}}"}', 'many'],
    ['{"s":"{{#is_match "service.name" "checkout"}}shop{{/is_match}}"}', 'shop'],
    ['{"s":"{{#is_match "absent" "x"}}yes{{else}}no{{/is_match}}"}', 'no'],
    ['{"s":"{{#is_match attributes.host "h"}}yes{{else}}no{{/is_match}}"}', 'no'],
    ['{"s":"{{! a note }}{{attributes.[service.name]}}"}', 'checkout'],
    ['{"s":"{{#if nope.at.all}}yes{{else}}no{{/if}}"}', 'no'],
    ['{"s":"{{#if dashboard}}{{#eq value 7}}seven{{/eq}}{{/if}}"}', 'seven'],
  ])('%s', (template, expected) => {
    expect(JSON.parse(bodyFor(template))).toEqual({ s: expected });
  });

  it.each(['{"s":"{{#each group}}x{{/each}}"}', '{"s":"{{#if a}}x{{/eq}}"}', '{"s":"{{#with alert}}x{{/with}}"}'])(
    'what is not taken is said and the default body sent: %s',
    (template) => {
      const { body, problem } = payloadOf(generic(template), message(firing));
      expect(JSON.parse(body)).toHaveProperty('eventId', 'event-1');
      expect(problem).toContain('line:1');
    },
  );

  it('contract §3.7: every variable, including our own, for a body', () => {
    const names =
      'title body link state startTime endTime eventId value threshold thresholdMax thresholdSymbol rule group granularity ' +
      'isGroupedAlert reason severity startTimeIso endTimeIso firingSince alert.name alert.interval alert.source ' +
      'dashboard.name tile.name';
    const template = `{${names
      .split(' ')
      .map((name) => `"${name}":"{{${name}}}"`)
      .join()}}`;
    const { body, problem } = payloadOf(generic(template), message(firing, { name: 'Slow' }));
    expect(problem).toBeUndefined();
    expect(body).not.toContain('{{');
    expect(JSON.parse(body)).toMatchObject({
      value: '7',
      thresholdSymbol: '≥',
      rule: '≥ 5',
      startTime: String(newYearMs),
      startTimeIso: '2026-01-01T00:00:00.000Z',
      'alert.source': 'tile',
      severity: 'error',
    });
  });
});

describe('a saved search', () => {
  const watched = { savedSearch: { id: 'f1', name: 'Errors of the shop' } };
  const parts = { ...watched, group, value: 12 } as const;
  const found = () => {
    const { dashboard: _dashboard, tile: _tile, ...rest } = message(parts).notification;
    return composeMessage({ ...messageOf('tenant'), notification: rest }, { pagesUrl });
  };

  it('contract §3.6: the title counts lines; the link opens the search on the evaluated window, not live', () => {
    expect(found().title).toBe('🚨 Alert for "Errors of the shop" - 12 lines found');
    const link = new URL(found().link);
    expect(link.pathname).toBe('/hx/search/f1');
    expect(Object.fromEntries(link.searchParams)).toEqual({
      from: String(newYearMs),
      to: String(newYearMs + 60_000),
      isLive: 'false',
    });
    expect(JSON.parse(renderPayload(generic(), found()))).toMatchObject({
      savedSearch: { name: 'Errors of the shop' },
    });
  });
});

describe('sample events of a saved search', () => {
  const body = (sampleEvents: string[]) => message({ sampleEvents }).body;

  it('are in a fenced block below the message, which no event can end', () => {
    expect(body(['GET / 500', 'x ``` y']).endsWith("\n```\nGET / 500\nx ''' y\n```")).toBe(true);
    expect(body([])).not.toContain('```');
  });

  it('take at most 2500 characters', () => {
    expect(body(Array(5).fill('y'.repeat(600))).length).toBeLessThan(2_500 + 200);
  });
});

describe('pagerduty: Events API v2', () => {
  const receiver = { service: 'generic', template: 'pagerduty', routingKey: 'R0UT1NG' } as const;
  const event = (parts: Partial<Notification> = {}, alert: Partial<Notification['alert']> = {}) =>
    JSON.parse(renderPayload(receiver, message(parts, alert)));

  it('a trigger with its key, the link, and everything that machines read', () => {
    const sent = message({ group });
    expect(event({ group })).toEqual({
      routing_key: 'R0UT1NG',
      event_action: 'trigger',
      dedup_key: 'event-1',
      client: 'Signalbox',
      client_url: sent.link,
      links: [{ href: sent.link, text: 'Open in Signalbox' }],
      payload: {
        summary: sent.title,
        source: 'service.name:checkout, host:h"1',
        severity: 'error',
        timestamp: '2026-01-01T00:01:00.000Z',
        component: '"Errors" in "Shop"',
        custom_details: expect.objectContaining({ value: 7, threshold: 5, rule: '≥ 5', body: sent.body }),
      },
    });
  });

  it('U-49: trigger, repeat and resolve carry one key, also after a rename; event_action distinguishes them', () => {
    const events = [
      event(),
      event({ reason: 'repeat' }),
      event({ reason: 'resolved' }),
      event({}, { name: 'renamed' }),
      event({ reason: 'resolved' }, { name: 'renamed' }),
    ];
    expect(events.map((sent) => sent.event_action)).toEqual(['trigger', 'trigger', 'resolve', 'trigger', 'resolve']);
    expect(new Set(events.map((sent) => sent.dedup_key))).toEqual(new Set(['event-1']));
  });

  it('U-46: a summary stays within 1024 characters', () => {
    const { summary } = event({}, { name: 'x'.repeat(5_000) }).payload;
    expect(summary).toHaveLength(1024);
    expect(summary.endsWith('… (shortened)')).toBe(true);
  });
});

describe('msteams: an Adaptive Card for workflows', () => {
  const receiver = { service: 'generic', template: 'msteams' } as const;
  const sent = (parts: Partial<Notification> = {}, alert: Partial<Notification['alert']> = {}) =>
    JSON.parse(renderPayload(receiver, message(parts, alert)));

  it('U-47: a message with one attachment of the adaptive-card type, with title, facts, text and link', () => {
    const body = sent({ group }, { name: 'Slow', message: 'first\nsecond' });
    expect(body).toMatchObject({ type: 'message' });
    expect(body.attachments).toHaveLength(1);
    const [{ contentType, content }] = body.attachments;
    expect(contentType).toBe('application/vnd.microsoft.card.adaptive');
    expect(content).toMatchObject({ type: 'AdaptiveCard', version: '1.4' });
    const texts = JSON.stringify(content.body);
    for (const part of ['🚨 Slow', 'first', 'second', '≥ 5', 'service.name:checkout']) expect(texts).toContain(part);
    expect(content.actions).toEqual([
      { type: 'Action.OpenUrl', title: 'Open in Signalbox', url: message({ group }).link },
    ]);
  });

  it('colours distinguish firing from resolved', () => {
    const colours = (['firing', 'resolved'] as const).map(
      (reason) => sent({ reason }).attachments[0].content.body[0].color,
    );
    expect(colours).toEqual(['Attention', 'Good']);
  });

  it('what a value brings in is no link', () => {
    expect(JSON.stringify(sent({ group: [{ key: 'a', value: '[x](https://evil.example)' }] }))).not.toMatch(
      /(?<!\\)\[x\]/,
    );
  });

  it.each(['x', 'x\n', '🚨'])('U-46: 10 000 × %j stay below 28 kB', (sign) => {
    const body = renderPayload(receiver, message({}, { name: sign.repeat(10_000), message: sign.repeat(10_000) }));
    expect(Buffer.byteLength(body)).toBeLessThan(28_000);
  });
});

describe('@webhook mentions (contract §3.6)', () => {
  const mentioned = (text: string, parts: Partial<Notification> = { group }) => {
    const { notification, body } = message(parts, { message: text });
    return { names: mentionsOf(notification), body };
  };

  it.each([
    ['@webhook-ops look', ['ops']],
    ['look @webhook-ops, and @webhook-5f0c, @webhook-ops.', ['ops', '5f0c']],
    ['to @webhook-{{attributes.service.name}}', ['checkout']],
    ['{{#is_match "host" "other"}}@webhook-a{{else}}@webhook-b{{/is_match}}', ['b']],
    ['mail@webhook-ops is no mention, @slack neither', []],
  ])('%s', (text, names) => {
    const { body, ...found } = mentioned(text);
    expect(found.names).toEqual(names);
    if (names.length > 0) expect(body).not.toContain('@webhook-');
  });

  it('text in a value is not a mention', () => {
    const value = '@webhook-secret \uE000secret\uE001 {{x}}';
    expect(mentioned('see {{attributes.a}}', { group: [{ key: 'a', value }] }).names).toEqual([]);
  });
});

describe('slack', () => {
  const slack = (parts: Partial<Notification['alert']>) =>
    JSON.parse(renderPayload({ service: 'slack' }, message({}, parts)));

  it('whatever a value brings in is text, in every field', () => {
    const value = '<!channel> *bold* _it_ ~no~ `code` <https://evil.example|click> &\n> quote a_b_c';
    const sent = message(
      { group: [{ key: 'k', value }] },
      { name: '{{group}}', message: 'author *bold* {{attributes.k}}' },
    );
    const { text, blocks } = JSON.parse(renderPayload({ service: 'slack' }, sent));
    const block: string = blocks[0].text.text;
    for (const field of [text, block.replace(/^\*<[^>]*>\*/, '')]) {
      expect(field).not.toMatch(/<|>/);
      expect(field.replace('author *bold*', '')).not.toMatch(/[*~`]|(?<!\w)_|_(?!\w)/);
      expect(field).toContain('a_b_c');
    }
    expect(block).toContain('author *bold*');
    expect(block).not.toMatch(/^\s*(>|&gt;)/m);
  });

  it('text and one mrkdwn section with the linked title', () => {
    const sent = message({}, { name: 'a <b> & c' });
    expect(slack({ name: 'a <b> & c' })).toEqual({
      text: '🚨 a &lt;b&gt; &amp; c',
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

it('incidentio: what a value brings in is no Markdown', () => {
  const value = '[x](https://evil.example) **bold** <img> # h `c`';
  const body = JSON.parse(renderPayload({ service: 'incidentio' }, message({ group: [{ key: 'k', value }] })));
  expect(body.description).toContain('\\[x\\](https://evil.example) \\*\\*bold\\*\\* \\<img\\> # h \\`c\\`');
  expect(body.group).toEqual({ k: value });
});

describe('values that are missing', () => {
  const json = (template: string, parts: Partial<Notification> = {}) =>
    JSON.parse(renderPayload(generic(template), message(parts)));

  it('are null in JSON outside quotes, and empty within quotes', () => {
    const template =
      '{"v":{{value}},"m":{{thresholdMax}},"a":{{attributes.absent}},"q":"x{{value}}y","u":{{nope}},"j":{{value | json}}}';
    expect(json(template, { value: null })).toEqual({ v: null, m: null, a: null, q: 'xy', u: null, j: null });
  });

  it('texts are quoted where the template has no quotes; numbers and JSON literals are not', () => {
    const template =
      '{"t":{{title}},"n":{{value | plus: 1}},"b":{{isGroupedAlert}},"s":{{state | replace: "ALERT", "true"}}}';
    expect(json(template)).toEqual({ t: message().title, n: 8, b: false, s: true });
  });

  it('of an empty group are (empty) for people', () => {
    const empty = message({ group: [{ key: 'team', value: '' }] }, { message: '{{attributes.team}}|{{group}}' });
    expect(empty.body).toContain('(empty)|team:(empty)');
    expect(empty.body).toContain('Group: "team:(empty)"');
    expect(JSON.parse(renderPayload(generic(), empty))).toMatchObject({
      group: { team: '' },
      groupText: 'team:(empty)',
    });
    const card = renderPayload({ service: 'generic', template: 'msteams' }, empty);
    expect(card).toContain('team:(empty)');
  });

  it('whatever the values contain, a JSON template produces the JSON that it describes', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', minLength: 1 }),
      fc.constantFrom('"', '\\', '\uE002', '\uE003x', '{{x}}'),
    );
    fc.assert(
      fc.property(text, fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })), (value, number) => {
        const sent = message({ group: [{ key: 'k', value }], value: number });
        const made = JSON.parse(renderPayload(generic('{"q":"<{{attributes.k}}>","v":{{value}},"t":{{title}}}'), sent));
        const shown = value.replace(/[\uE000\uE001]/g, '');
        expect([value, shown]).toContain(made.q.slice(1, -1));
        expect(made.v).toBe(Object.is(number, -0) ? 0 : number);
        expect(typeof made.t).toBe('string');
      }),
    );
  });
});

it.each(['{"a": "x",}', '{"a": {{value}} {{value}}}', '[1', '{"a": "{{value | json}}" "}'])(
  'a body that makes no JSON is sent in the default form, and the log says so: %s',
  (template) => {
    const { body, contentType, problem } = payloadOf(generic(template), message());
    expect(JSON.parse(body)).toHaveProperty('eventId', 'event-1');
    expect(contentType).toBe('application/json');
    expect(problem).toMatch(/does not produce valid JSON/);
  },
);

it('plain text is sent as what it is, unless the webhook says otherwise', () => {
  expect(payloadOf(generic('{{title}}'), message()).contentType).toBe('text/plain; charset=utf-8');
  expect(payloadOf({ ...generic('{"t": 1'), contentType: 'text/plain' }, message())).toMatchObject({
    body: '{"t": 1',
    problem: undefined,
  });
  expect(payloadOf({ ...generic('{{title}}'), contentType: 'application/json' }, message()).body).toBe(
    JSON.stringify(message().title),
  );
});

it.each(['has_exp', 'find_exp', 'where_exp', 'group_by_exp', 'find_index_exp', 'reject_exp', 'inspect', 'sample'])(
  'filter %s is not taken: the default form is sent and the log names it',
  (filter) => {
    const { problem } = payloadOf(generic(`{"a":{{ "1,2" | split: "," | ${filter}: "x", "x == 1" }}}`), message());
    expect(problem).toContain(`undefined filter: ${filter}`);
  },
);

it.each(['{{alert.nmae}}', '{{dashboard.title}}', '{{source.kind}}'])('a misspelt field is said: %s', (text) => {
  expect(payloadOf(generic(`{"a":${text}}`), message()).problem).toContain('undefined variable');
});

it.each([
  'attributes.a.b.c',

  'attributes["x.y"]',
  'attributes.constructor',
  'attributes.__proto__',
  'savedSearch.name',
  'source.name',
  'alert.note',
])('what has no value is null: %s', (path) => {
  const { body, problem } = payloadOf(generic(`{"a":{{${path}}}}`), message({ group: [{ key: 'host', value: 'h' }] }));
  expect([body, problem]).toEqual(['{"a":null}', undefined]);
});

it('contract §3.6: variables of alert, dashboard, saved search, source', () => {
  const parts = { source: { id: 's', name: 'Logs' }, series: 'p95(Duration) (the last of 2)', group };
  const sent = message(parts, {
    groupBy: 'host',
    numConsecutiveWindows: 2,
    message: '{{source.name}}|{{alert.groupBy}}|{{series}}',
  });
  expect(sent.body).toContain('Logs|host|p95(Duration) (the last of 2)');
  expect(sent.body).toContain('Series: p95(Duration) (the last of 2)');
});

it('values show on which side of each threshold they are', () => {
  const side = (value: number, bound: number) => Math.sign(value - bound);
  fc.assert(
    fc.property(
      fc.double({ noNaN: true, min: -1e6, max: 1e6 }),
      fc.double({ noNaN: true, min: -1e-3, max: 1e-3 }),
      (threshold, off) => {
        const value = threshold + off;
        expect(side(Number(valueText(value, { threshold })), threshold)).toBe(side(value, threshold));
      },
    ),
  );
  expect(valueText(0.3004, { threshold: 0.3 })).toBe('0.3004');
  expect(valueText(79.9996, { threshold: 90, recoveryThreshold: 80 })).toBe('79.9996');
});

it('values: whole numbers in full, others with the decimals of the threshold, a small one never as 0', () => {
  expect([12345678, 7.456, 0.0001, 1e-9].map((value) => valueText(value, { threshold: 5 }))).toEqual([
    '12345678',
    '7.46',
    '0.0001',
    '0.000000001',
  ]);
  expect(valueText(0.65432, { threshold: 0.1234 })).toBe('0.6543');
  expect(valueText(null, { threshold: 1 })).toBe('no data');
});
