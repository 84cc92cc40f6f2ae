import { Table, Text } from '@mantine/core';
import { Panel } from '../../ui/Panel.tsx';
import classes from './DetailPanel.module.css';
import { detailRows } from './detail-rows.ts';

/** One part of a pipe, value by value; nothing where the pipe has no such part. */
export function DetailPanel({ title, value }: { title: string; value: unknown }) {
  const rows = detailRows(value);
  if (rows.length === 0) return null;
  return (
    <Panel title={title}>
      <Table aria-label={title} layout="fixed">
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={row.path}>
              <Table.Td w="42%">
                <Text size="sm" c="var(--sb-muted)" className={classes.value ?? ''}>
                  {row.path}
                </Text>
              </Table.Td>
              <Table.Td>
                <Text size="sm" ff="monospace" className={classes.value ?? ''}>
                  {row.value}
                </Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Panel>
  );
}
