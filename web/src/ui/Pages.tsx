import { Group, Pagination, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';

export interface PagesProps {
  /** What is in the pages, for those who hear them: "alerts". */
  label: string;
  page: number;
  pageSize: number;
  total: number;
  onChange: (page: number) => void;
}

const controlLabels = { first: 'First page', last: 'Last page', next: 'Next page', previous: 'Previous page' };

/** Which part of a long list is shown, and the way to the others; nothing where one page holds all. */
export function Pages({ label, page, pageSize, total, onChange }: PagesProps) {
  if (total <= pageSize) return null;
  const first = (page - 1) * pageSize;
  return (
    <Group component="nav" aria-label={`Pages of ${label}`} justify="space-between" gap={8} mt={10}>
      <Text size="xs" c="var(--sb-muted)" role="status">
        {`${(first + 1).toLocaleString('en-US')}–${Math.min(first + pageSize, total).toLocaleString('en-US')} of ${total.toLocaleString('en-US')} ${label}`}
      </Text>
      <Pagination
        size="sm"
        total={Math.ceil(total / pageSize)}
        value={page}
        onChange={onChange}
        getControlProps={(control) => ({ 'aria-label': controlLabels[control] })}
        getItemProps={(item) => ({ 'aria-label': `Page ${item}` })}
      />
    </Group>
  );
}

export interface PagedProps<T> {
  label: string;
  /** Absent while they are read. */
  rows: readonly T[] | undefined;
  pageSize?: number;
  /** Draws the rows of one page. */
  children: (rows: readonly T[] | undefined) => ReactNode;
}

/** A complete list, drawn in pages: a thousand rows in one go would be slow. */
export function Paged<T>({ label, rows, pageSize = 100, children }: PagedProps<T>) {
  const [wanted, setWanted] = useState(1);
  const total = rows?.length ?? 0;
  const page = Math.min(wanted, Math.max(1, Math.ceil(total / pageSize)));
  return (
    <>
      {children(rows?.slice((page - 1) * pageSize, page * pageSize))}
      <Pages label={label} page={page} pageSize={pageSize} total={total} onChange={setWanted} />
    </>
  );
}
