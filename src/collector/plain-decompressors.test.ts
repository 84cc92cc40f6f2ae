import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decompressTask } from './decode-tasks.ts';
import { MalformedPayloadError, PayloadTooLargeError } from './intake-errors.ts';
import { decompressPlain } from './plain-decompressors.ts';
import { lz4Of, type Step, snappyOf, snappyStream, textOf } from './testing/compressed-steps.ts';

const limit = 1 << 20;
const base64 = (text: string) => Buffer.from(text, 'base64');
const { snappy, 'snappy in frames': framed, lz4 } = publishedLogs();

describe('what published encoders write is what it was', () => {
  it.each([
    ['snappy, one block', 'snappy', snappy],
    ['snappy, frames', 'snappy', framed],
    ['snappy, the stream begun twice', 'snappy', Buffer.concat([framed.subarray(0, 10), framed])],
    ['lz4', 'lz4', lz4],
    ['lz4, a skippable frame in front', 'lz4', Buffer.concat([base64('UCpNGAIAAAAJCQ=='), lz4])],
  ] as const)('%s', (_, compression, bytes) => {
    const logs = JSON.parse(decompressPlain(compression, bytes, limit).toString());
    expect(logs.resourceLogs[0].scopeLogs[0].logRecords).toHaveLength(21);
  });

  it.each([
    ['snappy', snappy],
    ['snappy', framed],
    ['lz4', lz4],
  ] as const)('%s, in memory that can move to another thread', (compression, bytes) => {
    const outcome = decompressTask.run({ compression, bytes, limit });
    if (outcome instanceof Promise || outcome.kind !== 'done') throw new Error('not decompressed');
    expect(decompressTask.moved?.(outcome)).toHaveLength(1);
  });

  it('lz4 in independent blocks with checksums and the content’s size', () => {
    const brackets = decompressPlain('lz4', publishedBrackets(), limit);
    expect(brackets.toString()).toBe('['.repeat(100_000));
    const twice = Buffer.concat([publishedBrackets(), publishedBrackets()]);
    expect(decompressPlain('lz4', twice, limit).length).toBe(200_000);
  });

  it('nothing', () => {
    expect(decompressPlain('snappy', snappyOf([]), limit).length).toBe(0);
    expect(decompressPlain('snappy', framed.subarray(0, 10), limit).length).toBe(0);
    expect(decompressPlain('lz4', lz4Of([]), limit).length).toBe(0);
  });
});

describe('literals and copies, in whatever order and overlap', () => {
  const literal = fc
    .uint8Array({ minLength: 1, maxLength: 300 })
    .map((bytes): Step => ({ literal: Buffer.from(bytes) }));
  const copy = fc.record({ back: fc.nat(), count: fc.integer({ min: 4, max: 64 }) });
  const steps = fc
    .tuple(literal, fc.array(fc.oneof(literal, copy), { maxLength: 30 }))
    .map(([first, rest]) => [first, ...rest]);

  it.each([
    ['snappy', snappyOf],
    ['lz4', lz4Of],
  ] as const)('%s', (compression, encode) => {
    fc.assert(
      fc.property(steps, (sent) => {
        expect(decompressPlain(compression, encode(sent), limit).equals(textOf(sent))).toBe(true);
      }),
      { numRuns: 150 },
    );
  });

  it('snappy in frames', () => {
    fc.assert(
      fc.property(fc.array(steps, { maxLength: 4 }), (blocks) => {
        const text = Buffer.concat(blocks.map(textOf));
        expect(decompressPlain('snappy', snappyStream(blocks), limit).equals(text)).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  it('a long run, and one beyond the first memory', () => {
    const run = [{ literal: Buffer.from('abc') }, { back: 2, count: 300_000 }];
    expect(decompressPlain('lz4', lz4Of(run), limit).equals(textOf(run))).toBe(true);
  });
});

describe('is refused before it is all there', () => {
  const run = (count: number): Step[] => [{ literal: Buffer.from('x') }, { back: 0, count }];
  const hugeContent = Buffer.concat([base64('BCJNGEhA'), Buffer.alloc(8, 0xff), Buffer.alloc(5)]);

  it.each([
    ['a snappy block that says it becomes 4 GiB', 'snappy', Buffer.from([0xff, 0xff, 0xff, 0xff, 0x0f, 0])],
    ['snappy blocks that add up to too much', 'snappy', snappyStream(Array.from({ length: 20 }, () => run(64_000)))],
    ['lz4 of a run', 'lz4', lz4Of(run(limit + 1))],
    ['lz4 frames that add up to too much', 'lz4', Buffer.concat(Array.from({ length: 20 }, () => lz4Of(run(64_000))))],
    ['lz4 that says it becomes 16 EiB', 'lz4', hugeContent],
  ] as const)('%s', (_, compression, bytes) => {
    expect(() => decompressPlain(compression, bytes, limit)).toThrow(PayloadTooLargeError);
  });
});

describe('is malformed', () => {
  it.each([
    ['no bytes', 'snappy', ''],
    ['a block longer than it says', 'snappy', 'AQRhYg=='],
    ['a block shorter than it says', 'snappy', 'BQRhYg=='],
    ['a copy from before the beginning', 'snappy', 'BQBhAQI='],
    ['a copy of distance 0', 'snappy', 'BQBhAQA='],
    ['a copy that is cut off', 'snappy', 'BQBhAg=='],
    ['a chunk of a kind that must be understood', 'snappy', '/wYAAHNOYVBwWQIEAAAAAAAA'],
    ['a chunk that is cut off', 'snappy', '/wYAAHNOYVBwWQAEAAAA'],
    ['another magic', 'lz4', 'BSJNGGRwuQAAAAA='],
    ['a version to come', 'lz4', 'BCJNGKRwuQAAAAA='],
    ['an unknown dictionary', 'lz4', 'BCJNGGVwAAAAALkAAAAA'],
    ['no end', 'lz4', 'BCJNGGBwuQ=='],
    ['a block that is cut off', 'lz4', 'BCJNGGBwuQkAAAAB'],
    ['a copy from before the beginning of lz4', 'lz4', 'BCJNGGBwuQUAAAAQYQIAAAAAAAA='],
  ] as const)('%s (%s)', (_, compression, text) => {
    expect(() => decompressPlain(compression, base64(text), limit)).toThrow(MalformedPayloadError);
  });

  it.each([
    ['snappy', snappy],
    ['snappy', framed],
    ['lz4', lz4],
  ] as const)('%s with any bytes instead of some is malformed, too large or something', (compression, whole) => {
    fc.assert(
      fc.property(fc.nat(whole.length), fc.uint8Array({ maxLength: 40 }), fc.nat(40), (cut, bytes, gap) => {
        const sent = Buffer.concat([whole.subarray(0, cut), bytes, whole.subarray(cut + gap)]);
        expect(isReported(() => decompressPlain(compression, sent, 100_000))).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

function isReported(run: () => Buffer): boolean {
  try {
    return run().length <= 100_000;
  } catch (error) {
    return error instanceof MalformedPayloadError || error instanceof PayloadTooLargeError;
  }
}

/** One request of 21 logs, as golang/snappy 1.0.0 and pierrec/lz4 4.1.33, which Collectors use, write it. */
function publishedLogs(): Record<'snappy' | 'snappy in frames' | 'lz4', Buffer> {
  const block =
    'ugdYeyJyZXNvdXJjZUxvZ3MiOlt7InNjb3AZDiBsb2dSZWNvcmQJHWxib2R5Ijp7InN0cmluZ1ZhbHVlIjoiaGVsbG8gHQYQIn19LHv+LQD+LQD+LQD+LQD+LQD+LQD+LQD+LQD+LQD+LQD+LQD+LQD+LQBaLQAYfV19XX1dfQ==';
  const frame =
    'BCJNGGRwuWMAAAD2CHsicmVzb3VyY2VMb2dzIjpbeyJzY29wDgCSbG9nUmVjb3JkHQD3DWJvZHkiOnsic3RyaW5nVmFsdWUiOiJoZWxsbyAGAE8ifX0sLQD///88AF0DAVcDoH0se31dfV19XX0AAAAA4hK7uw==';
  return {
    snappy: base64(block),
    'snappy in frames': Buffer.concat([base64('/wYAAHNOYVBwWQCDAAC4TaT1'), base64(block)]),
    lz4: base64(frame),
  };
}

/** `[`, 100,000 times, as pierrec/lz4 writes it in blocks of 64 kB. */
function publishedBrackets(): Buffer {
  return Buffer.concat([
    Buffer.from('04224d187c40a0860100000000005f170100001f5b0100', 'hex'),
    Buffer.alloc(256, 255),
    Buffer.from('d9000200000200b05b5b5b5b5b5b5b5b5b5b5b2fdbdaae9e0000001f5b0100', 'hex'),
    Buffer.alloc(135, 255),
    Buffer.from('00000200000200b05b5b5b5b5b5b5b5b5b5b5bc211083400000000f9f87d03', 'hex'),
  ]);
}
