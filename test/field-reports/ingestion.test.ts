import { deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lz4Of, snappyOf, snappyStream } from '../../src/collector/testing/compressed-steps.ts';
import { startProgram } from '../support/start-program.ts';
import { FieldWorld, hourMs, logsOf, nano, spansOf, t0 } from './field-world.ts';

let world: FieldWorld;

beforeAll(async () => {
  world = new FieldWorld(await startProgram({ env: { SIGNALBOX_ROLES: 'api,collector' } }));
});
afterAll(() => world?.program.stop());

let second = 0;
/** A log record with a unique time, so that results are in the order of sending. */
const log = (text: string, rest: object = {}) => {
  second += 1;
  return { timeUnixNano: nano(second), body: { stringValue: text }, ...rest };
};

let spans = 0;
const span = (name: string, rest: object = {}) => {
  spans += 1;
  const id = spans.toString(16);
  const ids = { traceId: id.padStart(32, 'a'), spanId: id.padStart(16, 'b') };
  return { ...ids, name, startTimeUnixNano: nano(spans), endTimeUnixNano: nano(spans + 1), ...rest };
};

/** The bodies of a service's logs that a condition finds. */
async function bodies(where: string): Promise<string[]> {
  return (await world.search('log', where, 'Body')).map(({ Body }) => Body);
}

describe('severity', () => {
  beforeAll(() =>
    world.send(
      'logs',
      logsOf('levels', [
        log('text 200, number of an error', { severityNumber: 17, severityText: '200' }),
        log('number of info alone', { severityNumber: 9 }),
        log('number of the second warning alone', { severityNumber: 14 }),
        log('text alone', { severityText: 'ERROR' }),
        log('short name of a finer level', { severityText: 'WARN2', severityNumber: 14 }),
        log('neither'),
      ]),
    ),
  );
  const found = (where: string) => bodies(`ServiceName:levels AND ${where}`);

  it('loki#18937, signoz#4970: a number alone gives the level', async () => {
    expect(await found('SeverityText:info')).toEqual(['number of info alone']);
  });
  it('dozzle#5047: a finer level is the level it refines', async () => {
    expect(await found('SeverityNumber:[13 TO 16]')).toEqual([
      'number of the second warning alone',
      'short name of a finer level',
    ]);
    expect(await found('SeverityText:warn*')).toEqual([
      'number of the second warning alone',
      'short name of a finer level',
    ]);
  });
  it('signoz#4970: errors are found by number where the text says something else, and by text where there is no number', async () => {
    expect(await found('SeverityNumber:>=17')).toContain('text 200, number of an error');
    expect(await found('SeverityText:error')).toContain('text alone');
  });
  it('opentelemetry-specification#4478: a record without level is not made an INFO', async () => {
    const [row] = await world.search('log', 'ServiceName:levels AND Body:"neither"', 'SeverityText, SeverityNumber');
    expect(row).toEqual({ SeverityText: '', SeverityNumber: 0 });
  });
});

describe('integers of 64 bits', () => {
  const storedInteger = async (intValue: unknown) => {
    const name = `int ${String(intValue)}`;
    const value = typeof intValue === 'bigint' ? `{"intValue":${intValue}}` : JSON.stringify({ intValue });
    const body = JSON.stringify(logsOf('integers', [log(name, { attributes: [{ key: 'n', value: 'HERE' }] })]));
    const { status, json } = await world.export('logs', body.replace('"HERE"', value));
    const rows = await world.search('log', `ServiceName:integers AND Body:"${name}"`, "LogAttributes['n'] AS n");
    return [status, json, rows.map(({ n }) => n)];
  };

  it('langfuse#14068: as decimal text, which is what the encoding asks for', async () => {
    expect(await storedInteger('25')).toEqual([200, {}, ['25']]);
    expect(await storedInteger('-9223372036854775808')).toEqual([200, {}, ['-9223372036854775808']]);
  });
  it.each([9_007_199_254_740_993n, 9_223_372_036_854_775_807n])(
    'posthog-js#4571: %s as a number keeps its last digits',
    async (intValue) => {
      expect(await storedInteger(intValue)).toEqual([200, {}, [String(intValue)]]);
    },
  );
  it('posthog-js#4571: one that does not fit costs its own record and no other', async () => {
    const records = [
      log('fits'),
      log('does not', { attributes: [{ key: 'n', value: { intValue: '9223372036854775808' } }] }),
    ];
    const { status, json } = await world.export('logs', JSON.stringify(logsOf('range', records)));
    expect([status, json.partialSuccess?.rejectedLogRecords]).toEqual([200, '1']);
    expect(await bodies('ServiceName:range')).toEqual(['fits']);
  });
});

describe('browsers', () => {
  const origin = { origin: 'https://shop.example.com' };
  const preflight = (asked: string) =>
    fetch(`${world.program.addresses.otlpHttp}/v1/traces`, {
      method: 'OPTIONS',
      headers: { ...origin, 'access-control-request-method': 'POST', 'access-control-request-headers': asked },
    });

  it('opentelemetry-collector#7681: the preflight lets the headers through that SDKs send', async () => {
    const { status, headers } = await preflight('content-type,authorization');
    expect([200, 204]).toContain(status);
    const allowed = headers.get('access-control-allow-headers')?.toLowerCase() ?? '';
    expect(allowed).toMatch(/content-type/);
    expect(allowed).toMatch(/authorization/);
  });
  it.each([200, 400, 401])(
    'opentelemetry-collector#13402: the answer to the POST itself may be read by the page, also when it is %i',
    async (status) => {
      const body = status === 400 ? '{' : JSON.stringify(spansOf('browser', [span('click')]));
      const key = status === 401 ? { authorization: 'wrong' } : {};
      const answer = await world.export('traces', body, { ...origin, ...key });
      expect(answer.status).toBe(status);
      expect(['*', origin.origin]).toContain(answer.headers.get('access-control-allow-origin'));
    },
  );
});

describe('spans', () => {
  const read = (where: string) => world.search('trace', where, 'SpanName, Duration, StatusCode, SpanKind');

  it('signoz-otel-collector#814: a span that ends before it starts has no duration of 213,503 days', async () => {
    const backwards = span('backwards', {
      startTimeUnixNano: nano(100),
      endTimeUnixNano: `${BigInt(nano(100)) - 191_305n}`,
    });
    const { status } = await world.export('traces', JSON.stringify(spansOf('clocks', [backwards, span('forwards')])));
    expect(status).toBe(200);
    const rows = await read('ServiceName:clocks');
    const ones = rows.filter(({ SpanName }) => SpanName === 'backwards').map(({ Duration }) => Number(Duration));
    expect(ones).toEqual([0]);
    expect(rows.map(({ SpanName }) => SpanName)).toContain('forwards');
  });

  it('langwatch#5898: a span without kind and status is a span', async () => {
    await world.send('traces', spansOf('bare', [span('bare')]));
    expect(await read('ServiceName:bare')).toEqual([
      expect.objectContaining({ SpanName: 'bare', SpanKind: 'Unspecified', StatusCode: 'Unset' }),
    ]);
  });

  it.each([
    ['an attribute of the wrong type', { attributes: [{ key: 'n', value: { doubleValue: 'ten' } }] }],
    ['ids of a wrong length', { traceId: 'abc123' }],
    ['no id at all', { spanId: undefined }],
    ['a time that is none', { startTimeUnixNano: 'noon' }],
  ])('greptimedb#7875: %s costs that span, and the sender gets an error', async (what, wrong) => {
    const service = `one-bad-${what.length}`;
    const sent = [span('first'), span('bad', wrong), span('last')];
    const { status, json } = await world.export('traces', JSON.stringify(spansOf(service, sent)));
    expect([status, json.partialSuccess?.rejectedSpans]).toEqual([200, '1']);
    expect(json.partialSuccess.errorMessage).toMatch(/\w/);
    const names = (await read(`ServiceName:${service}`)).map(({ SpanName }) => SpanName);
    expect(names).toEqual(['first', 'last']);
  });

  it('langfuse#15026: an attribute with a key and no value is legal', async () => {
    await world.send('traces', spansOf('valueless', [span('kept', { attributes: [{ key: 'empty' }] })]));
    expect(await read('ServiceName:valueless')).toHaveLength(1);
  });
});

describe('bodies', () => {
  it('opik#8264: a request with nothing in it, at whatever depth, succeeds', async () => {
    for (const empty of [
      {},
      { resourceSpans: [] },
      { resourceSpans: [{}] },
      { resourceSpans: [{ scopeSpans: [] }] },
      { resourceSpans: [{ scopeSpans: [{ spans: [] }] }] },
    ])
      expect([empty, await world.export('traces', JSON.stringify(empty))]).toMatchObject([
        empty,
        { status: 200, json: {} },
      ]);
    const none = await world.export('traces', new Uint8Array(0), { 'content-type': 'application/x-protobuf' });
    expect(none.status).toBe(200);
  });

  it('signoz-otel-collector#887: records with text, a map, a list, a number and nothing as body are stored side by side', async () => {
    const map = { kvlistValue: { values: [{ key: 'big', value: { doubleValue: 2 ** 64 } }] } };
    const records = [
      log('plain'),
      log('', { body: map }),
      log('', { body: { arrayValue: { values: [{ stringValue: 'a' }, { intValue: '1' }] } } }),
      log('', { body: { intValue: '7' } }),
      log('', { body: undefined }),
    ];
    await world.send('logs', logsOf('mixed', records));
    const [plain, mapped, list, number, nothing] = await bodies('ServiceName:mixed');
    expect([plain, JSON.parse(list ?? ''), number, nothing]).toEqual(['plain', ['a', 1], '7', '']);
    expect(JSON.parse(mapped ?? '')).toEqual({ big: 2 ** 64 });
  });

  it('opentelemetry-collector-contrib#41141: a body that is a map is kept whole and can be searched by its path', async () => {
    const values = [
      { key: 'order', value: { kvlistValue: { values: [{ key: 'state', value: { stringValue: 'late' } }] } } },
    ];
    await world.send('logs', logsOf('maps', [log('', { body: { kvlistValue: { values } } }), log('no map')]));
    expect((await bodies('ServiceName:maps AND Body.order.state:late')).map((text) => JSON.parse(text))).toEqual([
      { order: { state: 'late' } },
    ]);
  });

  it('opentelemetry-collector-contrib#37802: an attribute that is a map is found, and charted, by its path', async () => {
    const nested = (city: string) => ({
      attributes: [{ key: 'geo', value: { kvlistValue: { values: [{ key: 'city', value: { stringValue: city } }] } } }],
    });
    await world.send(
      'logs',
      logsOf('nested', [log('one', nested('Rome')), log('two', nested('Oslo')), log('three', nested('Oslo'))]),
    );
    expect(await bodies('ServiceName:nested AND geo.city:Oslo')).toEqual(['two', 'three']);
    const rows = await world.chart({
      ...{ startTime: t0, endTime: t0 + hourMs, granularity: '1h' },
      series: [
        {
          sourceId: await world.sourceId('log'),
          aggFn: 'count',
          where: 'ServiceName:nested',
          groupBy: ['LogAttributes.geo.city'],
        },
      ],
    });
    expect(rows.map(({ group, 'series_0.data': count }) => [group[0], count])).toEqual([
      ['Oslo', 2],
      ['Rome', 1],
    ]);
  });

  it('loki#24423: bytes that are no UTF-8 cost neither the request nor the record', async () => {
    const text = JSON.stringify(logsOf('utf8', [log('before-HERE-after'), log('second')]));
    const [head = '', tail = ''] = text.split('HERE');
    const body = new Uint8Array(Buffer.concat([Buffer.from(head), Buffer.from([0xff, 0xfe]), Buffer.from(tail)]));
    expect((await world.export('logs', body)).status).toBe(200);
    const stored = await bodies('ServiceName:utf8');
    expect(stored[0]).toMatch(/^before-.+-after$/);
    expect(stored[1]).toBe('second');
  });
});

describe('compression', () => {
  it('ravel#216: every member of a gzip stream is read, not only the first', async () => {
    const [first, rest] = splitAt(JSON.stringify(logsOf('members', [log('one'), log('two')])), 40);
    const body = new Uint8Array(Buffer.concat([gzipSync(first), gzipSync(rest)]));
    const { status, json } = await world.export('logs', body, { 'content-encoding': 'gzip' });
    expect([status, json]).toEqual([200, {}]);
    expect(await bodies('ServiceName:members')).toEqual(['one', 'two']);
  });

  it('opentelemetry-collector-contrib#43605: what inflates past the limit is refused, and the next request is served', async () => {
    const bomb = gzipSync(Buffer.alloc(100 * 2 ** 20, '['));
    const { status } = await world.export('logs', new Uint8Array(bomb), { 'content-encoding': 'gzip' });
    expect([400, 413]).toContain(status);
    await world.send('logs', logsOf('after', [log('still here')]));
    expect(await bodies('ServiceName:after')).toEqual(['still here']);
  });

  const packed: Record<string, (text: string) => Buffer> = {
    zstd: zstdFrame,
    snappy: (text) => snappyOf([{ literal: Buffer.from(text) }]),
    'x-snappy-framed': (text) => snappyStream([[{ literal: Buffer.from(text) }]]),
    lz4: (text) => lz4Of([{ literal: Buffer.from(text) }]),
    deflate: (text) => deflateSync(text),
    'x-gzip': (text) => gzipSync(text),
    'gzip, identity': (text) => gzipSync(text),
    identity: (text) => Buffer.from(text),
  };
  it.each(Object.keys(packed))('openobserve#13726: a body in %s is read', async (encoding) => {
    const service = `as-${encoding.replaceAll(/\W/g, '')}`;
    const body = packed[encoding]?.(JSON.stringify(logsOf(service, [log('small')]))) ?? Buffer.alloc(0);
    const { status } = await world.export('logs', new Uint8Array(body), { 'content-encoding': encoding });
    expect(status).toBe(200);
    expect(await bodies(`ServiceName:"${service}"`)).toEqual(['small']);
  });

  it.each([
    ['one block', (text: string) => snappyOf([{ literal: Buffer.from(text) }])],
    ['frames', (text: string) => snappyStream([[{ literal: Buffer.from(text) }]])],
  ] as const)('opentelemetry-collector#10584: what is called snappy is read as %s', async (form, pack) => {
    const service = `snappy-${form.replace(' ', '-')}`;
    const body = new Uint8Array(pack(JSON.stringify(logsOf(service, [log('small')]))));
    expect((await world.export('logs', body, { 'content-encoding': 'snappy' })).status).toBe(200);
    expect(await bodies(`ServiceName:"${service}"`)).toEqual(['small']);
  });

  it('opentelemetry-collector#15252: six bytes of snappy that claim to become 4 GiB are refused', async () => {
    const body = Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0x0f, 0);
    expect((await world.export('logs', body, { 'content-encoding': 'snappy' })).status).toBe(413);
  });

  it('openobserve#14779: a compression that is not taken is called so, not an unreadable body', async () => {
    const { status, json } = await world.export('logs', new Uint8Array(8), { 'content-encoding': 'br' });
    expect([status, json.message]).toEqual([415, expect.stringContaining('Content-Encoding gzip')]);
  });
});

/** RFC 8878: one frame of one raw block, as Node 20 has no encoder. */
function zstdFrame(text: string): Buffer {
  // Two bytes of length begin at 256.
  const content = Buffer.from(text.padEnd(256));
  const head = Buffer.alloc(10);
  head.writeUInt32LE(0xfd2fb528, 0);
  // Single segment, content size in two bytes.
  head.writeUInt8(0x60, 4);
  head.writeUInt16LE(content.length - 256, 5);
  // The last block, raw.
  head.writeUIntLE((content.length << 3) | 1, 7, 3);
  return Buffer.concat([head, content]);
}

function splitAt(text: string, at: number): [string, string] {
  return [text.slice(0, at), text.slice(at)];
}
