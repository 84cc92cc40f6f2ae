import type { Reader } from '@platformatic/kafka';

/** What a broker answers about one partition. */
export interface FetchedPartition {
  topicId: string;
  partition: number;
  /** 0 = none. */
  errorCode: number;
  /** The end of what may be read; of transactions that are decided, where only these are read. */
  highWatermark: number;
  lastStableOffset: number;
  aborted: readonly AbortedTransaction[];
  /** Record batches as the broker stores them; the last one may be cut off. */
  records: Buffer;
}

export interface AbortedTransaction {
  producerId: bigint;
  firstOffset: number;
}

export interface FetchAnswer {
  errorCode: number;
  partitions: readonly FetchedPartition[];
}

/**
 * Reads an answer to Fetch, version 13, without looking into its records: the client library's own reader makes an object
 * of each record and does not limit what compressed ones expand to.
 */
export function readFetchAnswer(answer: Reader, reading: (bytes: Buffer) => Reader): FetchAnswer {
  const bytes = answer.buffer.slice();
  const reader = reading(bytes);
  reader.readInt32(); // throttle time
  const errorCode = reader.readInt16();
  reader.readInt32(); // session
  const partitions: FetchedPartition[] = [];
  readEach(reader, () => {
    const topicId = reader.readUUID();
    readEach(reader, () => partitions.push(readPartition(reader, bytes, topicId)));
  });
  return { errorCode, partitions };
}

function readPartition(reader: Reader, bytes: Buffer, topicId: string): FetchedPartition {
  const partition = reader.readInt32();
  const errorCode = reader.readInt16();
  const highWatermark = Number(reader.readInt64());
  const lastStableOffset = Number(reader.readInt64());
  reader.readInt64(); // log start
  const aborted: AbortedTransaction[] = [];
  readEach(reader, () => {
    aborted.push({ producerId: reader.readInt64(), firstOffset: Number(reader.readInt64()) });
  });
  reader.readInt32(); // preferred replica
  const length = Math.max(0, reader.readUnsignedVarInt() - 1);
  const records = bytes.subarray(reader.position, reader.position + length);
  reader.skip(length);
  return { topicId, partition, errorCode, highWatermark, lastStableOffset, aborted, records };
}

/** A compact array, null or not, whose entries end with tagged fields. */
function readEach(reader: Reader, readEntry: () => void): void {
  const length = reader.readUnsignedVarInt() - 1;
  for (let index = 0; index < length; index++) {
    readEntry();
    for (let tags = reader.readUnsignedVarInt(); tags > 0; tags--) {
      reader.readUnsignedVarInt();
      reader.skip(reader.readUnsignedVarInt());
    }
  }
}
