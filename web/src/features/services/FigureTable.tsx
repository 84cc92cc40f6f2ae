import { Table, Text, UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ServiceOperation } from '../../../../src/contract/services.ts';
import { RowSkeleton } from '../../ui/RowSkeleton.tsx';
import classes from './Services.module.css';
import { changeOf, type FigureKey, figureColumns, figureText, type Sorting, sorted } from './service-figures.ts';

export interface FigureTableProps<Row extends ServiceOperation> {
  label: string;
  /** What the rows are. */
  nameLabel: string;
  /** Absent while they are read. */
  rows: readonly Row[] | undefined;
  sorting: Sorting;
  onSort: (sorting: Sorting) => void;
  renderName: (row: Row) => ReactNode;
  /** Each row over the range; absent where that is not drawn. */
  renderActivity?: (row: Row) => ReactNode;
}

/** Rate, errors and durations of services or operations, sorted by any column, with marks of what has changed. */
export function FigureTable<Row extends ServiceOperation>(props: FigureTableProps<Row>) {
  const { label, nameLabel, rows, sorting, onSort, renderName, renderActivity } = props;
  const columns = [{ key: 'name', label: nameLabel } as const, ...figureColumns];
  return (
    <Table.ScrollContainer minWidth={560} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table highlightOnHover aria-label={label} className={classes.figures ?? ''}>
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <Head key={column.key} column={column} sorting={sorting} onSort={onSort} />
            ))}
            {renderActivity ? <Table.Th>Requests and errors</Table.Th> : null}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows ? null : <RowSkeleton columns={[...columns, ...(renderActivity ? [1] : [])].map(() => 'base')} />}
          {sorted(rows ?? [], sorting).map((row) => (
            <Table.Tr key={row.name}>
              <Table.Td className={classes.name ?? ''}>{renderName(row)}</Table.Td>
              {figureColumns.map(({ key }) => (
                <Figure key={key} column={key} row={row} />
              ))}
              {renderActivity ? <Table.Td>{renderActivity(row)}</Table.Td> : null}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

interface HeadProps {
  column: { key: Sorting['key']; label: string };
  sorting: Sorting;
  onSort: (sorting: Sorting) => void;
}

function Head({ column: { key, label }, sorting, onSort }: HeadProps) {
  const isChosen = sorting.key === key;
  const next = { key, descending: isChosen ? !sorting.descending : key !== 'name' };
  const order = isChosen ? (sorting.descending ? 'descending' : 'ascending') : undefined;
  return (
    <Table.Th aria-sort={order} className={key === 'name' ? '' : (classes.number ?? '')}>
      <UnstyledButton className={classes.sort ?? ''} onClick={() => onSort(next)}>
        {label}
        {isChosen ? <span aria-hidden="true">{sorting.descending ? ' ↓' : ' ↑'}</span> : null}
      </UnstyledButton>
    </Table.Th>
  );
}

function Figure({ column, row }: { column: FigureKey; row: ServiceOperation }) {
  const change = changeOf(column, row);
  const isError = column === 'errorShare' && row.errors > 0;
  return (
    <Table.Td className={classes.number ?? ''}>
      {change ? (
        <Text span className={change.isWorse ? classes.worse : classes.change} title="Against the period before">
          {change.text}
        </Text>
      ) : null}
      <span className={isError ? classes.error : undefined}>{figureText(column, row)}</span>
    </Table.Td>
  );
}
