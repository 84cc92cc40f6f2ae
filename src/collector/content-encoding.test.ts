import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Compression, decompress as decompressBody, parseEncodings } from './content-encoding.ts';
import { MalformedPayloadError, PayloadTooLargeError } from './intake-errors.ts';
import { decompressPlain } from './plain-decompressors.ts';

const limit = 8 << 20;

const decompress = (received: Buffer, encodings: readonly Compression[], bytesMax: number) =>
  decompressBody({ received, encodings, bytesMax }, async (...plain) => decompressPlain(...plain));

/** What zstd 1.5 makes of these texts; Node.js can do it from version 22.15 on. */
const zstdOfLogs =
  'KLUv/SCIrQIAosQQGJDFOWSVjUjobzF7hIsXxB4JOUjIXIjDAcGiRYt2LQy7PuIpPj6GiLGYJQHqdhxQT1Q+XbGOzZO6Hce6TlxKdr10CwUAKQxKtXeirgMKn7HNJg==';
const zstdOfBrackets = 'KLUv/aCghgEAVQAAEFtbAQCbhjnAAg==';

/** A frame of one block that repeats a byte, `times` times; `window` is the descriptor of the window it asks for. */
function zstdRun(times: number, window = 0x70, blocks = 1): Buffer {
  const runs = Array.from({ length: blocks }, (_, index) => {
    const header = Buffer.alloc(3);
    header.writeUIntLE((times << 3) | (1 << 1) | (index === blocks - 1 ? 1 : 0), 0, 3);
    return Buffer.concat([header, Buffer.from('x')]);
  });
  return Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, window]), ...runs]);
}

describe('the encodings of a header', () => {
  it.each([
    [undefined, []],
    ['', []],
    ['identity', []],
    ['identity, identity', []],
    ['gzip', ['gzip']],
    [' X-GZip ', ['gzip']],
    ['identity, gzip', ['gzip']],
    ['deflate', ['deflate']],
    ['zlib', ['deflate']],
    ['zstd', ['zstd']],
    ['gzip, zstd', ['gzip', 'zstd']],
    ['br', undefined],
    ['snappy', ['snappy']],
    ['x-snappy-framed', ['snappy']],
    ['lz4', ['lz4']],
    ['gzip, lz4', ['gzip', 'lz4']],
    ['gzip, br', undefined],
    ['gzip, gzip, gzip', undefined],
    ['constructor', undefined],
  ])('%s', (header, encodings) => {
    expect(parseEncodings(header)).toEqual(encodings);
  });
});

describe('a compressed body', () => {
  const compress: Record<string, (bytes: Buffer) => Buffer> = {
    gzip: gzipSync,
    'zlib in deflate': deflateSync,
    'bare deflate': deflateRawSync,
  };

  it.each([
    ['gzip', 'gzip'],
    ['zlib in deflate', 'deflate'],
    ['bare deflate', 'deflate'],
  ] as const)('in %s is what it was', async (name, encoding) => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 2000 }), async (bytes) => {
        const compressed = compress[name]?.(Buffer.from(bytes)) ?? Buffer.alloc(0);
        expect(await decompress(compressed, [encoding], limit)).toEqual(Buffer.from(bytes));
      }),
      { numRuns: 30 },
    );
  });

  it('in zstd is what it was, in one frame or in several', async () => {
    const logs = await decompress(Buffer.from(zstdOfLogs, 'base64'), ['zstd'], limit);
    expect(logs.toString()).toMatch(/^\{"resourceLogs":.*hello hello hello hello"\}\}\]\}\]\}\]\}\n$/);
    const brackets = Buffer.from(zstdOfBrackets, 'base64');
    expect((await decompress(brackets, ['zstd'], limit)).toString()).toBe('['.repeat(100_000));
    const skippable = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 9, 9]);
    const frames = Buffer.concat([zstdRun(5), skippable, zstdRun(3)]);
    expect((await decompress(frames, ['zstd'], limit)).toString()).toBe('xxxxxxxx');
  });

  it('in two layers is what it was', async () => {
    const twice = gzipSync(gzipSync('hello'));
    expect((await decompress(twice, ['gzip', 'gzip'], limit)).toString()).toBe('hello');
  });

  const bombs: [string, Buffer, Compression[]][] = [
    ['gzip', gzipSync(Buffer.alloc(50_000_000, '[')), ['gzip']],
    ['deflate', deflateSync(Buffer.alloc(50_000_000, '[')), ['deflate']],
    ['gzip in gzip', gzipSync(gzipSync(Buffer.alloc(50_000_000, '['))), ['gzip', 'gzip']],
    [
      'zstd frames with more than they may expand to',
      Buffer.concat(Array.from({ length: 16 }, () => zstdRun(131_071, 0x60, 10))),
      ['zstd'],
    ],
    ['more zstd frames than a sender writes', Buffer.concat(Array.from({ length: 17 }, () => zstdRun(1))), ['zstd']],
    ['a zstd window of 1 GiB', zstdRun(5, 0xa0), ['zstd']],
  ];

  it.each(bombs)('is refused before it is all there when it expands far: %s', async (_, bytes, encodings) => {
    await expect(decompress(bytes, encodings, 64 << 20)).rejects.toThrow(PayloadTooLargeError);
  });

  it('may expand to 64 times its size, and to 16 MiB whatever its size', async () => {
    // Nothing makes the noise shorter, so that it is what is received.
    let state = 1;
    const noise = Uint8Array.from({ length: 500_000 }, () => {
      state = (state * 48_271) % 2_147_483_647;
      return state;
    });
    const expanding = (zeros: number) => gzipSync(Buffer.concat([noise, Buffer.alloc(zeros)]));
    expect((await decompress(expanding(24 << 20), ['gzip'], 64 << 20)).length).toBe((24 << 20) + noise.length);
    await expect(decompress(expanding(40 << 20), ['gzip'], 64 << 20)).rejects.toThrow(PayloadTooLargeError);
    expect((await decompress(gzipSync(Buffer.alloc(16 << 20)), ['gzip'], 64 << 20)).length).toBe(16 << 20);
  });

  it.each(['gzip', 'deflate', 'zstd', 'snappy', 'lz4'] as const)(
    'that is no %s is malformed, whatever it is',
    async (encoding) => {
      await fc.assert(
        fc.asyncProperty(fc.uint8Array({ maxLength: 60 }), fc.nat(200), async (bytes, cut) => {
          const start = encoding === 'zstd' ? Buffer.from(zstdOfLogs, 'base64').subarray(0, cut) : Buffer.alloc(0);
          const outcome = await decompress(Buffer.concat([start, bytes]), [encoding], limit).catch((error) => error);
          const isKnown = [Buffer, MalformedPayloadError, PayloadTooLargeError].some((kind) => outcome instanceof kind);
          expect(isKnown).toBe(true);
        }),
        { numRuns: 200 },
      );
    },
  );
});
