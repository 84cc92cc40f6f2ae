import { varintOf } from '../../kernel/varint.ts';

/** What a compressed text is made of: bytes as they are, or `count` bytes once more from `back` + 1 bytes before. */
export type Step = { literal: Buffer } | { back: number; count: number };

/** The text that the steps make, byte by byte. */
export function textOf(steps: readonly Step[]): Buffer {
  const text: number[] = [];
  for (const step of steps) {
    if ('literal' in step) {
      for (const byte of step.literal) text.push(byte);
      continue;
    }
    const distance = distanceOf(step.back, text.length);
    for (let count = 0; count < step.count; count++) text.push(text[text.length - distance] ?? 0);
  }
  return Buffer.from(text);
}

/** A block of snappy with these steps, in the elements that their lengths and distances allow, all kinds of them. */
export function snappyOf(steps: readonly Step[]): Buffer {
  let length = 0;
  const parts = steps.map((step) => {
    const part =
      'literal' in step ? snappyLiteral(step.literal) : snappyCopy(distanceOf(step.back, length), step.count);
    length += 'literal' in step ? step.literal.length : step.count;
    return part;
  });
  return Buffer.concat([varintOf(length), ...parts]);
}

/** A stream of snappy with a frame for each block. */
export function snappyStream(blocks: readonly (readonly Step[])[]): Buffer {
  const frames = blocks.map((steps) => {
    const block = snappyOf(steps);
    const header = Buffer.alloc(8);
    header.writeUIntLE(block.length + 4, 1, 3);
    return Buffer.concat([header, block]);
  });
  return Buffer.concat([Buffer.from('ff060000734e61507059', 'hex'), ...frames]);
}

/** A frame of lz4 with one block of these steps. */
export function lz4Of(steps: readonly Step[]): Buffer {
  const parts: Buffer[] = [];
  let literals: Buffer[] = [];
  let length = 0;
  for (const step of steps) {
    if ('literal' in step) {
      literals.push(step.literal);
      length += step.literal.length;
      continue;
    }
    parts.push(lz4Sequence(Buffer.concat(literals), { distance: distanceOf(step.back, length), count: step.count }));
    literals = [];
    length += step.count;
  }
  parts.push(lz4Sequence(Buffer.concat(literals)));
  const block = Buffer.concat(parts);
  const size = Buffer.alloc(4);
  size.writeUInt32LE(block.length);
  return Buffer.concat([Buffer.from('04224d18407000', 'hex'), size, block, Buffer.alloc(4)]);
}

function distanceOf(back: number, written: number): number {
  return (back % Math.min(written, 60_000)) + 1;
}

function snappyLiteral(literal: Buffer): Buffer {
  const last = literal.length - 1;
  if (last < 60) return Buffer.concat([Buffer.from([last << 2]), literal]);
  const size = last < 256 ? 1 : 2;
  const header = Buffer.alloc(1 + size, (59 + size) << 2);
  header.writeUIntLE(last, 1, size);
  return Buffer.concat([header, literal]);
}

function snappyCopy(distance: number, count: number): Buffer {
  const whole = Math.ceil(count / 60) - 1;
  const longest = Buffer.from([2 | (59 << 2), distance & 255, distance >> 8]);
  return Buffer.concat([Buffer.alloc(whole * longest.length, longest), shortCopy(distance, count - whole * 60)]);
}

/** A copy of 60 bytes at most, in whatever form takes its length and distance. */
function shortCopy(distance: number, count: number): Buffer {
  if (count > 3 && count < 12 && distance < 2048) {
    return Buffer.from([1 | ((count - 4) << 2) | ((distance >> 8) << 5), distance & 255]);
  }
  const size = distance % 3 === 0 ? 4 : 2;
  const copy = Buffer.alloc(1 + size, (size === 4 ? 3 : 2) | ((count - 1) << 2));
  copy.writeUIntLE(distance, 1, size);
  return copy;
}

function lz4Sequence(literal: Buffer, copy?: { distance: number; count: number }): Buffer {
  const rest = copy ? copy.count - 4 : 0;
  const token = (Math.min(15, literal.length) << 4) | Math.min(15, rest);
  const distance = Buffer.alloc(copy ? 2 : 0);
  if (copy) distance.writeUInt16LE(copy.distance);
  return Buffer.concat([
    Buffer.from([token]),
    lz4Length(literal.length),
    literal,
    distance,
    copy ? lz4Length(rest) : distance,
  ]);
}

function lz4Length(length: number): Buffer {
  if (length < 15) return Buffer.alloc(0);
  const rest = length - 15;
  return Buffer.concat([Buffer.alloc(Math.floor(rest / 255), 255), Buffer.from([rest % 255])]);
}
