/** One column of a block: appended to value by value, then written out whole. */
export interface Column {
  /** Its type as ClickHouse spells it in a Native block's header. */
  readonly type: string;
  readonly byteLength: number;
  /** Adds views of the column's bytes, in Native order; they stay valid until the next append or `clear`. */
  collect(parts: Uint8Array[]): void;
  clear(): void;
  /** Remembers how much there is, for one `rollback`. */
  checkpoint(): void;
  /** Drops what was appended since the last `checkpoint`. */
  rollback(): void;
}

/** A buffer that grew beyond this is given back after its request; smaller ones are kept for the next. */
export const retainedBytesMax = 1 << 20;

/**
 * A request whose rows need more than this in one column is refused: a small payload may expand far when many tiny
 * records share one huge resource.
 */
export const columnBytesMax = 128 << 20;
