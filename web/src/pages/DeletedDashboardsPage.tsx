import { Button, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { DeletedDashboardRecord, UndeletionMeta } from '../../../src/contract/dashboard-version.ts';
import { deletedDashboardsQuery, useAuthorName, useUndelete } from '../features/dashboards/version-queries.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorNotice } from '../ui/ErrorNotice.tsx';
import { instantText } from '../ui/instant-text.ts';
import { ButtonLink, CrumbLink } from '../ui/links.tsx';
import { showDone, showFailure } from '../ui/notify.ts';
import { Page } from '../ui/Page.tsx';
import { Paged } from '../ui/Pages.tsx';
import { Panel } from '../ui/Panel.tsx';
import { RowSkeleton } from '../ui/RowSkeleton.tsx';

/** Dashboards that were deleted lately, and the way back for them and their alerts. */
export function DeletedDashboardsPage() {
  const found = useQuery(deletedDashboardsQuery);
  const navigate = useNavigate();
  const undelete = useUndelete();
  const restore = ({ id, name }: DeletedDashboardRecord) =>
    undelete.mutate(id, {
      onSuccess: (meta) => {
        showDone(`“${name}” was restored${alertsText(meta)}`);
        void navigate({ to: '/dashboards/$dashboardId', params: { dashboardId: id } });
      },
      onError: showFailure,
    });
  return (
    <Page title="Deleted dashboards" crumbs={<CrumbLink to="/dashboards">Dashboards</CrumbLink>}>
      {found.error ? <ErrorNotice error={found.error} onRetry={() => void found.refetch()} /> : null}
      {found.data?.length === 0 ? (
        <EmptyState
          title="Nothing was deleted"
          hint="A deleted dashboard stays here for 30 days, with its versions and its alerts."
          action={
            <ButtonLink to="/dashboards" variant="default">
              To the dashboards
            </ButtonLink>
          }
        />
      ) : null}
      {found.isPending || (found.data && found.data.length > 0) ? (
        <Panel>
          <Text size="sm" mb={8}>
            Restoring brings back a dashboard as it was, with its versions. Its alerts begin anew with their next
            window; an alert whose webhooks no longer exist stays deleted.
          </Text>
          <Paged label="deleted dashboards" rows={found.data}>
            {(rows) => (
              <Table.ScrollContainer minWidth={300} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
                <DeletedTable
                  rows={rows}
                  busyId={undelete.isPending ? undelete.variables : undefined}
                  onRestore={restore}
                />
              </Table.ScrollContainer>
            )}
          </Paged>
        </Panel>
      ) : null}
    </Page>
  );
}

interface DeletedTableProps {
  /** Absent while they are read. */
  rows: readonly DeletedDashboardRecord[] | undefined;
  busyId: string | undefined;
  onRestore: (dashboard: DeletedDashboardRecord) => void;
}

function DeletedTable({ rows, busyId, onRestore }: DeletedTableProps) {
  const nameOf = useAuthorName();
  return (
    <Table aria-label="Deleted dashboards">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Name</Table.Th>
          <Table.Th>Deleted</Table.Th>
          <Table.Th visibleFrom="sm">By</Table.Th>
          <Table.Th visibleFrom="sm">Alerts</Table.Th>
          <Table.Th visibleFrom="sm">Kept until</Table.Th>
          <Table.Th aria-label="Restore" />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows ? null : <RowSkeleton columns={['base', 'base', 'sm', 'sm', 'sm', 'base']} />}
        {rows?.map((dashboard) => (
          <Table.Tr key={dashboard.id}>
            <Table.Td className="long-text">{dashboard.name}</Table.Td>
            <Table.Td>
              {instantText(dashboard.deletedAt)}
              <Text size="xs" c="dimmed" className="long-text" hiddenFrom="sm">
                by {nameOf(dashboard.by)}
              </Text>
            </Table.Td>
            <Table.Td visibleFrom="sm" className="long-text">
              {nameOf(dashboard.by)}
            </Table.Td>
            <Table.Td visibleFrom="sm">{dashboard.alertCount}</Table.Td>
            <Table.Td visibleFrom="sm" style={{ whiteSpace: 'nowrap' }}>
              {instantText(dashboard.keptUntil)}
            </Table.Td>
            <Table.Td ta="right">
              <Button
                size="compact-xs"
                variant="default"
                loading={busyId === dashboard.id}
                aria-label={`Restore ${dashboard.name}`}
                onClick={() => onRestore(dashboard)}
              >
                Restore
              </Button>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function alertsText({ restoredAlerts = [], lostAlerts = [] }: UndeletionMeta): string {
  const back = restoredAlerts.length === 0 ? '' : ` with ${counted(restoredAlerts.length)}`;
  const verb = lostAlerts.length === 1 ? 'stays' : 'stay';
  const lost =
    lostAlerts.length === 0 ? '' : ` ${counted(lostAlerts.length)} ${verb} deleted: their webhooks no longer exist.`;
  return `${back}.${lost}`;
}

function counted(alerts: number): string {
  return alerts === 1 ? '1 alert' : `${alerts} alerts`;
}
