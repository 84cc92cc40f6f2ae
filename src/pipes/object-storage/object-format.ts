import type { BatchFormat } from '../source-port.ts';
import type { ObjectStorageSettings } from './location.ts';

/** How the objects of a pipe are read. */
export interface ObjectFormat {
  format: BatchFormat;
  isCsv: boolean;
  hasHeader: boolean;
  /** Can be cut at records; else an object is one batch. */
  isText: boolean;
  delimiter: string;
}

export function objectFormatOf({ format = 'JSONEachRow', delimiter = ',' }: ObjectStorageSettings): ObjectFormat {
  const isCsv = format.startsWith('CSV');
  const isTab = format.startsWith('TabSeparated');
  const isText = format !== 'Parquet' && format !== 'Avro';
  // The formats with names differ from the others by their first line, which is read here.
  const plain = isCsv ? 'CSV' : isTab ? 'TabSeparated' : (format as BatchFormat);
  return { format: plain, isCsv, hasHeader: format.endsWith('WithNames'), isText, delimiter };
}

/** A list of objects instead of one object a line: JSON that can be read only as a whole. */
export function isJsonList(text: readonly Uint8Array[]): boolean {
  const start = text.slice(0, 256).map((part) => part.subarray(0, 256));
  return /^\s*\[/.test(Buffer.concat(start).toString('utf8', 0, 256));
}
