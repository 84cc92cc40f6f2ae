import { Anchor, Badge, Button, Group, Skeleton, Table, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Dashboard } from '../../../src/contract/dashboard.ts';
import { fetchData } from '../api/client.ts';
import { dashboardsQuery } from '../features/dashboards/dashboard-queries.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorNotice } from '../ui/ErrorNotice.tsx';
import { Page } from '../ui/Page.tsx';
import { Panel } from '../ui/Panel.tsx';

/** The team's dashboards, found by name or tag. */
export function DashboardListPage() {
  const [wanted, setWanted] = useState('');
  const found = useQuery(dashboardsQuery);
  const client = useQueryClient();
  const navigate = useNavigate();
  const create = useMutation({
    mutationFn: () => fetchData<Dashboard>('dashboards', { method: 'POST', body: { name: 'New dashboard' } }),
    onSuccess: async ({ id }) => {
      await client.invalidateQueries({ queryKey: ['dashboards'] });
      await navigate({ to: `/dashboards/${id}` });
    },
  });
  const matches = (text: string) => text.toLowerCase().includes(wanted.toLowerCase());
  const shown = (found.data ?? []).filter(({ name, tags }) => matches(name) || tags.some(matches));
  return (
    <Page title="Dashboards" actions={<Button onClick={() => create.mutate()}>New dashboard</Button>}>
      {found.error ? <ErrorNotice error={found.error} onRetry={() => void found.refetch()} /> : null}
      {create.error ? <ErrorNotice error={create.error} /> : null}
      {found.isPending ? <Skeleton height={160} /> : null}
      {found.data?.length === 0 ? (
        <EmptyState title="No dashboards yet" hint="A dashboard shows charts over your logs, traces and metrics." />
      ) : (
        <Panel>
          <TextInput
            size="xs"
            aria-label="Search dashboards"
            placeholder="Name or tag"
            value={wanted}
            onChange={(event) => setWanted(event.currentTarget.value)}
          />
          <Table>
            <Table.Tbody>
              {shown.map(({ id, name, tags, tiles }) => (
                <Table.Tr key={id}>
                  <Table.Td>
                    <Anchor component={Link} to={`/dashboards/${id}`}>
                      {name}
                    </Anchor>
                  </Table.Td>
                  <Table.Td>
                    <Group gap={4}>
                      {tags.map((tag) => (
                        <Badge key={tag} variant="default">
                          {tag}
                        </Badge>
                      ))}
                    </Group>
                  </Table.Td>
                  <Table.Td>{tiles.length} tiles</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Panel>
      )}
    </Page>
  );
}
