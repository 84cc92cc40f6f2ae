import { recordBytesMax, recordTooLarge } from './decoded-request.ts';
import type { ScopeGroup } from './scope-groups.ts';

/** What a row takes at least: its numbers, and the lengths of its texts. */
const rowBytes = 80;
/** A row repeats its resource. Senders of metrics have resources a hundred times as large as a data point. */
const expansionMax = 64;
const bytesAlways = 8 << 20;
/** Above what any sender packs into one request, and below what would need more memory than there is. */
const bytesMax = 160 << 20;
/** A record of less than 32 bytes says next to nothing. */
const recordsAlways = 150_000;
const bytesPerRecord = 32;

const tooManyRecords = 'there are more records than one request may have: send fewer per request';
const tooMuch =
  'with the attributes of their resource, the records exceed what one request may have: send fewer per request';

/** How many rows one request may become: in proportion to its bytes, so that a small one can't make much work. */
export class RowRoom {
  readonly #bytesMax: number;
  readonly #recordsMax: number;
  #records = 0;
  #bytes = 0;
  #encodedBytes = 0;
  #chunkStart = 0;
  #originBytes = 0;

  constructor(payloadBytes: number) {
    this.#bytesMax = Math.min(bytesMax, bytesAlways + payloadBytes * expansionMax);
    this.#recordsMax = recordsAlways + Math.floor(payloadBytes / bytesPerRecord);
  }

  /** Bytes that rows took since the last chunk. */
  get takenSinceChunk(): number {
    return this.#bytes - this.#chunkStart;
  }

  startChunk(): void {
    this.#chunkStart = this.#bytes;
  }

  /** Reports how large the blocks of a chunk became: some values are longer in columns than in the payload. */
  encoded(bytes: number): void {
    this.#encodedBytes += bytes;
    if (this.#encodedBytes > this.#bytes) this.#bytes = this.#encodedBytes;
  }

  enterScope(group: ScopeGroup): void {
    this.#originBytes =
      rowBytes +
      group.resource.length +
      group.resourceSchemaUrl.length +
      group.scope.length +
      group.scopeSchemaUrl.length;
  }

  /** Takes the room of a record, or says why there is none. */
  take(bytes: number): string | undefined {
    if (bytes > recordBytesMax) return recordTooLarge;
    if (this.#records >= this.#recordsMax) return tooManyRecords;
    if (this.#bytes + bytes + this.#originBytes > this.#bytesMax) return tooMuch;
    this.#records++;
    this.#bytes += bytes + this.#originBytes;
    return undefined;
  }
}
