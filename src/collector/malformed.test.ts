import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MalformedPayloadError } from './intake-errors.ts';
import { decodeJson, decodeJsonText, decodeProtobuf, rowsOf, signals } from './testing/decoders.ts';
import { encodeRequest } from './testing/otlp-oracle.ts';
import { randomRequest, toJson, toOracle } from './testing/random-requests.ts';

/** Either readable blocks or the one error that senders get. */
function expectRowsOrMalformed(decode: () => { blocks: Parameters<typeof rowsOf>[0]['blocks'] }): void {
  let decoded: ReturnType<typeof decode>;
  try {
    decoded = decode();
  } catch (error) {
    expect(error).toBeInstanceOf(MalformedPayloadError);
    return;
  }
  rowsOf(decoded);
}

describe.each(signals)('broken %s payloads', (signal) => {
  const payload = randomRequest(signal).map((request) => encodeRequest(signal, Object(toOracle(request))));

  it('random bytes are malformed or readable, never anything else', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expectRowsOrMalformed(() => decodeProtobuf(signal, Buffer.from(bytes)));
      }),
      { numRuns: 500 },
    );
  });

  it('a payload cut off at any byte is malformed or a shorter valid one', () => {
    fc.assert(
      fc.property(payload, (bytes) => {
        const step = Math.max(1, Math.floor(bytes.length / 200));
        for (let end = 0; end < bytes.length; end += step) {
          expectRowsOrMalformed(() => decodeProtobuf(signal, bytes.subarray(0, end)));
        }
      }),
      { numRuns: 15 },
    );
  });

  it('a flipped bit is malformed or another valid payload', () => {
    fc.assert(
      fc.property(payload, fc.infiniteStream(fc.nat()), (bytes, flips) => {
        if (bytes.length === 0) return;
        for (let turn = 0; turn < 40; turn++) {
          const bit = Number(flips.next().value) % (bytes.length * 8);
          const flipped = Buffer.from(bytes);
          flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
          expectRowsOrMalformed(() => decodeProtobuf(signal, flipped));
        }
      }),
      { numRuns: 30 },
    );
  });

  it('JSON with a value replaced by any other is malformed or readable', () => {
    fc.assert(
      fc.property(randomRequest(signal), fc.jsonValue(), fc.nat(), (request, odd, at) => {
        const broken = withLeafReplaced(toJson(request), at, odd);
        expectRowsOrMalformed(() => decodeJson(signal, broken));
      }),
      { numRuns: 100 },
    );
  });

  it('what a broken request left in the buffers is not in the next one', () => {
    fc.assert(
      fc.property(payload, payload, (broken, good) => {
        const expected = decodeProtobuf(signal, good);
        expect(() => decodeProtobuf(signal, Buffer.concat([broken, Buffer.from([0x0a, 0x7f])]))).toThrow(
          MalformedPayloadError,
        );
        expect(decodeProtobuf(signal, good)).toEqual(expected);
      }),
      { numRuns: 20 },
    );
  });
});

describe('what the sender gets', () => {
  const log = (record: unknown) => ({ resourceLogs: [{ scopeLogs: [{ logRecords: [{}, record] }] }] });

  it.each([
    ['an array', '[]', 'the request has to be an object'],
    ['no array', '{"resourceLogs":{}}', 'resourceLogs has to be an array'],
    ['nothing', '', 'the body is not valid JSON: it ends too early (at byte 0)'],
    ['half of it', '{"resourceLogs":[', 'the body is not valid JSON: it ends too early (at byte 17)'],
    ['two values', '{} {}', 'the body is not valid JSON: something follows its end (at byte 3)'],
    ['no key', '{1:2}', 'the body is not valid JSON: a key in quotes is expected (at byte 1)'],
    ['a wrong word', '{"a":nul}', 'the body is not valid JSON: `null` is expected (at byte 5)'],
    ['a wrong number', '{"a":1.}', 'the body is not valid JSON: a digit is expected (at byte 7)'],
    ['a wrong bracket', '{"a":[1}}', 'the body is not valid JSON: `,` or `]` is expected (at byte 7)'],
  ])('of a body that is no request: %s', (_, text, message) => {
    expect(captured(() => decodeJsonText('logs', text))).toMatchObject({ name: 'MalformedPayloadError', message });
  });

  it.each([
    ['no object', 5, 'logRecords has to be an object'],
    ['null', null, 'logRecords has to be an object'],
    ['a fraction', { timeUnixNano: 1.5 }, 'logRecords.timeUnixNano has to be a whole number, or one as decimal text'],
    [
      'a negative time',
      { timeUnixNano: '-1' },
      'logRecords.timeUnixNano is not in the range of an unsigned 64-bit number',
    ],
    ['an id in base64', { traceId: 'q83vASNFZ4k=' }, 'logRecords.traceId has to be hex text'],
    ['a body that is text', { body: 'hello' }, 'logRecords.body has to be an object'],
    ['a number for text', { severityText: 5 }, 'logRecords.severityText has to be text'],
    ['an unknown severity', { severityNumber: 'LOUD' }, 'logRecords.severityNumber has to be a number or one of'],
    ['a wrong boolean', { body: { boolValue: 'yes' } }, 'logRecords.body.boolValue has to be true or false'],
    ['a number beyond all', { body: { doubleValue: '1e999' } }, 'is beyond the range of a 64-bit float'],
  ])('of a record: %s', (_, record, message) => {
    const decoded = decodeJson('logs', log(record));
    expect(decoded).toMatchObject({ accepted: 1, rejected: 1, message: expect.stringContaining(message) });
  });

  it('names the byte', () => {
    const error = captured(() => decodeProtobuf('logs', Buffer.from([0x0a, 0x05, 0x12])));
    expect(error).toHaveProperty(
      'message',
      'the payload is not valid protobuf: a length points past the end of its message (at byte 2)',
    );
  });

  it.each([
    ['a group', [0x0b, 0x0c]],
    ['field number 0', [0x02, 0x00]],
    ['an unknown wire type', [0x0e]],
    ['a varint that never ends', [0x78, ...Array(11).fill(0xff)]],
  ])('refuses %s', (_, bytes) => {
    expect(() => decodeProtobuf('logs', Buffer.from(bytes))).toThrow(MalformedPayloadError);
  });
});

describe('values nested in each other', () => {
  function nested(depth: number): object {
    let value: object = { stringValue: 'x' };
    for (let level = 0; level < depth; level++) value = { arrayValue: { values: [value] } };
    return { resourceLogs: [{ scopeLogs: [{ logRecords: [{ body: value }] }] }] };
  }

  it('are stored up to 100 levels', () => {
    const rows = rowsOf(decodeJson('logs', nested(100))).otel_logs;
    expect(rows).toMatchObject([{ Body: `${'['.repeat(100)}"x"${']'.repeat(100)}` }]);
  });

  it.each([101, 200, 300])('cost their record at %i levels', (depth) => {
    expect(decodeJson('logs', nested(depth))).toMatchObject({ accepted: 0, rejected: 1 });
  });

  it.each(['[', '{"a":', '[{"a":'])('are malformed where they never end: %s', (open) => {
    const text = open.repeat(100_000);
    expect(() => decodeJsonText('logs', `{"unknown":${text}`)).toThrow('nested deeper than 1000');
    expect(() => decodeJsonText('logs', text)).toThrow(MalformedPayloadError);
  });

  it('cost their record in protobuf, too, however deep', () => {
    let value: Buffer = Buffer.from([0x0a, 0x01, 0x78]);
    for (let level = 0; level < 3000; level++) value = delimited(5, delimited(1, value));
    const record = delimited(5, value);
    const payload = delimited(1, delimited(2, delimited(2, record)));
    const message = expect.stringContaining('nested deeper than 100');
    expect(decodeProtobuf('logs', payload)).toMatchObject({ accepted: 0, rejected: 1, message });
  });
});

function delimited(field: number, content: Buffer): Buffer {
  const size: number[] = [];
  let rest = content.length;
  for (; rest > 127; rest >>= 7) size.push((rest & 127) | 128);
  return Buffer.concat([Buffer.from([(field << 3) | 2, ...size, rest]), content]);
}

function captured(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}

/** A copy of `tree` in which one of its texts, numbers or booleans, the `at`-th from the start over, is `odd`. */
function withLeafReplaced(tree: unknown, at: number, odd: unknown): unknown {
  const json = JSON.stringify(tree);
  const isLeaf = (value: unknown) => value !== null && typeof value !== 'object';
  let leaves = 0;
  JSON.parse(json, (_key, value) => {
    if (isLeaf(value)) leaves++;
    return value;
  });
  let seen = 0;
  return JSON.parse(json, (_key, value) => (isLeaf(value) && seen++ === at % leaves ? odd : value));
}
