import { useVirtualizer } from '@tanstack/react-virtual';
import type { RefObject } from 'react';
import { TableRow, type TableRowProps } from './TableRow.tsx';

export interface LongRowsProps extends Omit<TableRowProps, 'row' | 'place'> {
  rows: readonly TableRowProps['row'][];
  scroller: RefObject<HTMLElement | null>;
}

/** Of a row of one line, with its border. */
const rowPx = 26;

/** The rows that are in sight, in the room of all of them. */
export function LongRows({ rows, scroller, ...rest }: LongRowsProps) {
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: 20,
  });
  const shown = virtual.getVirtualItems();
  return (
    <>
      <Room px={shown[0]?.start ?? 0} />
      {shown.map(({ key, index }) => (
        // The head is the first row.
        <TableRow key={key} row={rows[index] ?? []} place={index + 2} {...rest} />
      ))}
      <Room px={virtual.getTotalSize() - (shown.at(-1)?.end ?? 0)} />
    </>
  );
}

function Room({ px }: { px: number }) {
  return px > 0 ? <tr aria-hidden style={{ height: px }} /> : null;
}
