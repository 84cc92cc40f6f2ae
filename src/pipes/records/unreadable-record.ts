/** A record that does not become a row. */
export interface UnreadableRecord {
  position: string;
  reason: string;
  record: string;
}

const recordBytesShown = 4_096;
/** What one takes at most, so that a batch of nothing else is full after a while. */
export const unreadableBytes = 8_192;

/** As text where it is text, else in base64. */
export function recordText(record: Buffer): string {
  const shown = record.subarray(0, recordBytesShown);
  const text = shown.toString();
  return text.includes('\ufffd') || text.includes('\0') ? `base64:${shown.toString('base64')}` : text;
}
