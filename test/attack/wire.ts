import { varintOf } from '../../src/kernel/varint.ts';

// Protobuf by hand: what no well-behaved encoder would write.

/** A length-delimited field. */
export function field(number: number, content: Buffer): Buffer {
  return Buffer.concat([varintOf(number * 8 + 2), varintOf(content.length), content]);
}

export function fixed64(number: number, value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return Buffer.concat([varintOf(number * 8 + 1), bytes]);
}

export function repeat(content: Buffer, times: number): Buffer {
  const bytes = Buffer.alloc(content.length * times);
  for (let at = 0; at < bytes.length; at += content.length) content.copy(bytes, at);
  return bytes;
}

/** `levels` messages inside each other, each field `number` of the one around it. */
export function nested(number: number, levels: number, inner: Buffer): Buffer {
  const heads: Buffer[] = [inner];
  let size = inner.length;
  for (let level = 0; level < levels; level += 1) {
    const head = Buffer.concat([varintOf(number * 8 + 2), varintOf(size)]);
    heads.push(head);
    size += head.length;
  }
  return Buffer.concat(heads.toReversed());
}

/** RFC 8878: so many bytes of one value, in blocks of four bytes that each expand to 128 kB. */
export function zstdBomb(value: number, bytes: number): Buffer {
  const blockBytes = 128 * 1024;
  const blocks = Math.ceil(bytes / blockBytes);
  const header = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58]);
  const content = Array.from({ length: blocks }, (_, index) => {
    const block = Buffer.alloc(4);
    const last = index === blocks - 1 ? 1 : 0;
    block.writeUIntLE((blockBytes << 3) | (1 << 1) | last, 0, 3);
    block[3] = value;
    return block;
  });
  return Buffer.concat([header, ...content]);
}
