/** Records of RFC 4180 as a strict reader finds them; throws where the text is none. */
export function readCsv(text: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
  while (field.lastIndex < text.length) {
    const at = field.lastIndex;
    const [matched, quoted, plain = '', end] = field.exec(text) ?? [];
    if (matched === undefined) throw new Error(`no CSV at ${at}: ${text.slice(at, at + 40)}`);
    record.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    records.push(record);
    record = [];
  }
  if (record.length > 0) throw new Error('the last record does not end');
  return records;
}
