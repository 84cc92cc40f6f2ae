/** A place in PostgreSQL's write-ahead log, as a number that grows with it. */
export type Lsn = bigint;

export function parseLsn(text: string): Lsn {
  const [high = '0', low = '0'] = text.split('/');
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}

/** As PostgreSQL writes it, such as 16/B374D848. */
export function printLsn(lsn: Lsn): string {
  return `${(lsn >> 32n).toString(16).toUpperCase()}/${(lsn & 0xffffffffn).toString(16).toUpperCase()}`;
}
