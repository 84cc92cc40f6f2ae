import { Group, Loader, Table, Text } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { formatEventTime } from '../search/event-text.ts';
import { type Arrival, useArrivals } from './use-arrivals.ts';

/** That nothing has come yet, then what comes, without leaving the page. */
export function ArrivalPanel() {
  const { arrivals, error } = useArrivals();
  const [first] = arrivals;
  return (
    <Panel
      title="Your data"
      actions={
        first ? (
          <ButtonLink to="/search" search={{ source: first.source.id }}>
            Open in search
          </ButtonLink>
        ) : undefined
      }
    >
      {error ? <ErrorNotice error={error} /> : null}
      <Group gap={10} role="status" mb={first ? 12 : 0}>
        {first ? (
          <>
            <IconCircleCheck size={18} color="var(--sb-ok)" aria-hidden="true" />
            <Text size="sm" fw={600}>
              Data is arriving
            </Text>
          </>
        ) : (
          <>
            <Loader size={16} aria-hidden="true" />
            <div>
              <Text size="sm" fw={600}>
                Waiting for data…
              </Text>
              <Text size="sm" c="var(--sb-muted)">
                Run one of the commands above: the first events appear here within seconds.
              </Text>
            </div>
          </>
        )}
      </Group>
      {first ? <ArrivalTable arrivals={arrivals} /> : null}
    </Panel>
  );
}

function ArrivalTable({ arrivals }: { arrivals: readonly Arrival[] }) {
  return (
    <Table.ScrollContainer minWidth={300} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table aria-label="Newest events" verticalSpacing={4} fz="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Time</Table.Th>
            <Table.Th visibleFrom="sm">Source</Table.Th>
            <Table.Th>Service</Table.Th>
            <Table.Th>Event</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {arrivals.map(({ time, service, text, spanId, source }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two events may be alike in everything that is shown
            <Table.Tr key={`${time} ${spanId} ${index}`}>
              <Table.Td>{formatEventTime(time)}</Table.Td>
              <Table.Td visibleFrom="sm">{source.name}</Table.Td>
              <Table.Td>{service}</Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{text}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
