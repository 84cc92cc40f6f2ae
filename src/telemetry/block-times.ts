import { readVarint } from '../kernel/varint.ts';
import type { Stretch } from './ports.ts';

const secondMs = 1_000;
/** More different stretches than this are widened into one. */
const stretchesMax = 256;
const timeColumns: ReadonlySet<string> = new Set(['Timestamp', 'TimeUnix']);

/**
 * The seconds in which a block of the Native format has rows, as ascending stretches. `undefined` unless its first
 * column is the time of the rows: then nothing is known.
 */
export function blockTimes(block: Uint8Array): Stretch[] | undefined {
  const reader = new HeadReader(Buffer.from(block.buffer, block.byteOffset, block.byteLength));
  const columns = reader.varint();
  const rows = reader.varint();
  if (columns === 0 || rows === 0) return columns === 0 ? undefined : [];
  if (!timeColumns.has(reader.text()) || reader.text() !== 'DateTime64(9)') return undefined;
  const seconds = new Set<number>();
  for (let row = 0; row < rows; row++) reader.secondsOfNano(seconds);
  return stretchesOf(seconds);
}

function stretchesOf(seconds: ReadonlySet<number>): Stretch[] {
  const stretches: Stretch[] = [];
  for (const second of [...seconds].sort((a, b) => a - b)) {
    const startMs = second * secondMs;
    const last = stretches.at(-1);
    if (last && last.endMs >= startMs) last.endMs = startMs + secondMs;
    else stretches.push({ startMs, endMs: startMs + secondMs });
  }
  return stretches.length > stretchesMax ? [wholeOf(stretches)] : stretches;
}

/** The stretch from the start of the first to the end of the last. */
export function wholeOf(stretches: readonly Stretch[]): Stretch {
  // Step by step: as arguments of one call, a hundred thousand of them overflow the stack.
  let startMs = Number.POSITIVE_INFINITY;
  let endMs = Number.NEGATIVE_INFINITY;
  for (const each of stretches) {
    startMs = Math.min(startMs, each.startMs);
    endMs = Math.max(endMs, each.endMs);
  }
  return { startMs, endMs };
}

/** Reads the first bytes of a block. */
class HeadReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  varint(): number {
    const read = readVarint(this.#bytes, this.#at);
    if (!read) throw new Error('the head of the block is cut off');
    this.#at = read.end;
    return read.value;
  }

  text(): string {
    const length = this.varint();
    this.#at += length;
    return this.#bytes.toString('utf8', this.#at - length, this.#at);
  }

  /**
   * Adds the second of the next value, Unix nanoseconds in 64 bits with sign. A double holds them to 256 ns, so a value
   * that close to a full second counts for both.
   */
  secondsOfNano(seconds: Set<number>): void {
    const nano = this.#bytes.readUInt32LE(this.#at) + this.#bytes.readInt32LE(this.#at + 4) * 2 ** 32;
    this.#at += 8;
    seconds.add(Math.floor((nano - 512) / 1e9));
    seconds.add(Math.floor((nano + 512) / 1e9));
  }
}
