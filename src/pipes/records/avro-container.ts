import { inflateRawSync } from 'node:zlib';
import avro from 'avsc';
import { parseAvroSchema } from './avro-schema.ts';
import { UnreadableRecordError } from './record-format.ts';

/** What an Avro container begins with. */
export const containerMagic = Buffer.from('Obj\u0001');

const sync = { type: 'fixed', name: 'Sync', size: 16 } as const;
const headType = avro.Type.forSchema({
  type: 'record',
  name: 'Head',
  fields: [
    { name: 'magic', type: { type: 'fixed', name: 'Magic', size: 4 } },
    { name: 'meta', type: { type: 'map', values: 'bytes' } },
    { name: 'sync', type: sync },
  ],
});
const blockType = avro.Type.forSchema({
  type: 'record',
  name: 'Block',
  fields: [
    { name: 'count', type: 'long' },
    { name: 'data', type: 'bytes' },
    { name: 'sync', type: sync },
  ],
});
const blockBytesMax = 64 * 1024 ** 2;

interface Head {
  meta: Record<string, Buffer>;
}
interface Block {
  count: number;
  data: Buffer;
}

/** The values of an Avro container. Throws for anything else. */
export function readAvroContainer(bytes: Buffer): unknown[] {
  // The library reads what the type describes.
  const head = headType.decode(bytes, 0) as { value: Head; offset: number };
  if (head.offset < 0) throw new UnreadableRecordError('The Avro container of the record is cut off.');
  const codec = head.value.meta['avro.codec']?.toString() ?? 'null';
  if (codec !== 'null' && codec !== 'deflate') {
    throw new UnreadableRecordError('The compression of the Avro container is not null or deflate.');
  }
  const reader = parseAvroSchema(head.value.meta['avro.schema']?.toString() ?? '');
  const values: unknown[] = [];
  for (let at = head.offset; at < bytes.length; ) {
    // As above.
    const block = blockType.decode(bytes, at) as { value: Block; offset: number };
    if (block.offset < 0) throw new UnreadableRecordError('The Avro container of the record is cut off.');
    at = block.offset;
    const { count, data } = block.value;
    const content = codec === 'null' ? data : inflateRawSync(data, { maxOutputLength: blockBytesMax });
    let from = 0;
    for (let index = 0; index < count; index++) {
      const { value, offset } = reader.readAt(content, from);
      if (offset < 0 || (offset === from && index > 0)) {
        throw new UnreadableRecordError('The Avro container of the record is cut off.');
      }
      values.push(value);
      from = offset;
    }
  }
  return values;
}
