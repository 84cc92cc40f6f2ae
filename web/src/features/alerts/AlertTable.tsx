import { Checkbox, Table, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { AlertRecord } from '../../../../src/contract/alert.ts';
import { type ColumnFrom, RowSkeleton } from '../../ui/RowSkeleton.tsx';
import { AlertRow } from './AlertRow.tsx';
import classes from './AlertTable.module.css';
import { trendsQuery } from './alert-queries.ts';
import type { AlertOrder } from './sort-alerts.ts';

export interface AlertTableProps {
  /** At most as many as one request has the trends of; absent while they are read. */
  alerts: readonly AlertRecord[] | undefined;
  /** When they were read, Unix ms. */
  atMs: number;
  order: AlertOrder;
  onOrder: (order: AlertOrder) => void;
  /** Ids. */
  chosen: ReadonlySet<string>;
  onChoose: (chosen: ReadonlySet<string>) => void;
}

const columns: readonly ColumnFrom[] = ['base', 'base', 'sm', 'base', 'sm', 'sm', 'sm', 'lg', 'sm'];

/** On a telephone without what the alert's own page says. */
export function AlertTable({ alerts: read, atMs, order, onOrder, chosen, onChoose }: AlertTableProps) {
  const alerts = read ?? [];
  const trends = useQuery(trendsQuery(alerts.map(({ id }) => id))).data;
  const choose = (id: string, isChosen: boolean) => {
    const next = new Set(chosen);
    if (isChosen) next.add(id);
    else next.delete(id);
    onChoose(next);
  };
  return (
    <Table.ScrollContainer minWidth={300} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table highlightOnHover aria-label="Alerts" className={classes.table ?? ''}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th className={classes.choice ?? ''}>
              <ChooseAll alerts={alerts} chosen={chosen} onChoose={onChoose} />
            </Table.Th>
            <Head label="State" sorts="state" className={classes.state} order={order} onOrder={onOrder} />
            <Head label="Firing for" sorts="since" className={classes.since} order={order} onOrder={onOrder} wide />
            <Head label="Name" sorts="name" order={order} onOrder={onOrder} />
            <Table.Th visibleFrom="sm" className={classes.watches ?? ''}>
              Watches
            </Table.Th>
            <Table.Th visibleFrom="sm" className={classes.threshold ?? ''}>
              Threshold
            </Table.Th>
            <Table.Th visibleFrom="sm" className={classes.trend ?? ''}>
              Last value
            </Table.Th>
            <Table.Th visibleFrom="lg" className={classes.channels ?? ''}>
              Channels
            </Table.Th>
            <Table.Th visibleFrom="sm" className={classes.enabled ?? ''}>
              Enabled
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {read ? null : <RowSkeleton columns={columns} />}
          {alerts.map((alert) => (
            <AlertRow
              key={alert.id}
              alert={alert}
              atMs={atMs}
              trend={trends?.get(alert.id)}
              isChosen={chosen.has(alert.id)}
              onChoose={(isChosen) => choose(alert.id, isChosen)}
            />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

interface ChooseAllProps extends Pick<AlertTableProps, 'chosen' | 'onChoose'> {
  alerts: readonly AlertRecord[];
}

function ChooseAll({ alerts, chosen, onChoose }: ChooseAllProps) {
  const all = alerts.length > 0 && alerts.every(({ id }) => chosen.has(id));
  const some = alerts.some(({ id }) => chosen.has(id));
  return (
    <Checkbox
      aria-label="Choose all on this page"
      checked={all}
      indeterminate={some && !all}
      onChange={() => onChoose(all ? new Set() : new Set(alerts.map(({ id }) => id)))}
    />
  );
}

interface HeadProps extends Pick<AlertTableProps, 'order' | 'onOrder'> {
  label: string;
  sorts: AlertOrder;
  className?: string | undefined;
  /** Not on a telephone. */
  wide?: boolean;
}

/** What needs a person first, the longest first, names from A on. */
const directions = { state: 'other', since: 'descending', name: 'ascending' } as const;

function Head({ label, sorts, className = '', wide = false, order, onOrder }: HeadProps) {
  const isChosen = order === sorts;
  return (
    <Table.Th
      className={className}
      aria-sort={isChosen ? directions[sorts] : undefined}
      {...(wide && { visibleFrom: 'sm' })}
    >
      <UnstyledButton className={classes.sort ?? ''} onClick={() => onOrder(sorts)}>
        {label}
        {isChosen ? <span aria-hidden="true">{sorts === 'name' ? ' ↑' : ' ↓'}</span> : null}
      </UnstyledButton>
    </Table.Th>
  );
}
