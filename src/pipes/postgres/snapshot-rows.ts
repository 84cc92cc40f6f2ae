import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { fieldOf } from './column-mapping.ts';
import type { Partition } from './partitions.ts';
import { quoteIdentifier } from './quote-identifier.ts';
import type { ReplicatedColumn } from './replicated-table.ts';
import { unescapeField } from './tab-separated.ts';

const newline = 0x0a;

/** Values of our own columns, the same for every row. */
interface SnapshotMarks {
  syncedAt: string;
  version: string;
}

/**
 * The rows of a partition as tab-separated text, in pieces of about `bytesMax` that end with a row. PostgreSQL writes
 * escapes as ClickHouse reads them, so most texts pass through unread.
 */
export async function* snapshotRows(
  client: pg.Client,
  partition: Partition,
  order: { marks: SnapshotMarks; bytesMax: number },
): AsyncGenerator<Buffer[]> {
  const { columns } = partition.table;
  const converters = columns.map(({ mapping }) => (mapping.select ? undefined : mapping.field && mapping));
  const isPlain = converters.every((converter) => converter === undefined);
  let pieces: Buffer[] = [];
  let bytes = 0;
  let rest: Buffer = Buffer.alloc(0);
  const take = (text: Buffer) => {
    const piece = isPlain ? text : convertedRows(text, converters);
    pieces.push(piece);
    bytes += piece.length;
  };
  for await (const chunk of client.query(copyTo(copyStatement(partition, order.marks)))) {
    // The stream hands out buffers.
    const text = chunk as Buffer;
    const end = text.lastIndexOf(newline) + 1;
    if (end === 0) {
      rest = Buffer.concat([rest, text]);
      continue;
    }
    take(rest.length === 0 ? text.subarray(0, end) : Buffer.concat([rest, text.subarray(0, end)]));
    rest = text.subarray(end);
    if (bytes < order.bytesMax) continue;
    yield pieces;
    pieces = [];
    bytes = 0;
  }
  if (pieces.length > 0) yield pieces;
}

function copyStatement({ table, relation, from, to }: Partition, { syncedAt, version }: SnapshotMarks): string {
  const fields = table.columns.map(selectOf);
  const bounds = [
    ...(from === undefined ? [] : [`ctid >= '(${from},0)'::tid`]),
    ...(to === undefined ? [] : [`ctid < '(${to},0)'::tid`]),
  ];
  const where = bounds.length > 0 ? ` WHERE ${bounds.join(' AND ')}` : '';
  // Our own texts, in the order of `ownColumns`.
  const marks = [`'${syncedAt}'`, '0', version];
  return `COPY (SELECT ${[...fields, ...marks].join(', ')} FROM ONLY ${relation}${where}) TO STDOUT`;
}

function selectOf({ name, mapping }: ReplicatedColumn): string {
  const column = quoteIdentifier(name);
  return mapping.select ? mapping.select(column) : column;
}

type Converter = ReplicatedColumn['mapping'] | undefined;

/** Fields whose texts ClickHouse does not read as they are. */
function convertedRows(text: Buffer, converters: readonly Converter[]): Buffer {
  const lines = text.toString().split('\n');
  // After the last line end there is nothing.
  lines.pop();
  const rows = lines.map((line) =>
    line
      .split('\t')
      .map((field, at) => {
        const converter = converters[at];
        return converter ? fieldOf(converter, unescapeField(field)) : field;
      })
      .join('\t'),
  );
  return Buffer.from(`${rows.join('\n')}\n`);
}
