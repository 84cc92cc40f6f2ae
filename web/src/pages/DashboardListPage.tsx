import { ActionIcon, Badge, Button, Group, Select, Table, Text, TextInput, UnstyledButton } from '@mantine/core';
import { IconCopy, IconFileImport, IconPlus, IconSearch, IconTemplate, IconTrash, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import type { CreateDashboard, Dashboard } from '../../../src/contract/dashboard.ts';
import { alertsQuery } from '../features/alerts/alert-queries.ts';
import { DeleteDashboard } from '../features/dashboards/DeleteDashboard.tsx';
import { dashboardsQuery, useCreateDashboard } from '../features/dashboards/dashboard-queries.ts';
import { FavouriteButton } from '../features/dashboards/FavouriteButton.tsx';
import { useFavourites } from '../features/dashboards/favourite-queries.ts';
import {
  copyOf,
  dashboardsFound,
  favouritesFirst,
  sortedBy,
  sortings,
} from '../features/dashboards/list-dashboards.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorNotice } from '../ui/ErrorNotice.tsx';
import { AnchorLink, ButtonLink } from '../ui/links.tsx';
import { showFailure } from '../ui/notify.ts';
import { Page } from '../ui/Page.tsx';
import { Paged } from '../ui/Pages.tsx';
import { Panel } from '../ui/Panel.tsx';
import { RowSkeleton } from '../ui/RowSkeleton.tsx';
import { useUrlState, useUrlText } from '../url-state.ts';

const TemplateDialog = lazy(async () => ({
  default: (await import('../features/dashboards/TemplateDialog.tsx')).TemplateDialog,
}));

/** The team's dashboards, found by name or tag; those that the person wants at hand come first. */
export function DashboardListPage() {
  const [wanted, setWanted] = useUrlText('text');
  const [{ tag, sort }, changeUrl] = useUrlState();
  const [doomed, setDoomed] = useState<Dashboard>();
  const [isChoosing, setChoosing] = useState(false);
  const found = useQuery(dashboardsQuery);
  const firing = useFiringDashboards();
  const navigate = useNavigate();
  const create = useCreateDashboard();
  const begin = (body: CreateDashboard) =>
    create.mutate(body, {
      onSuccess: ({ id }) => navigate({ to: '/dashboards/$dashboardId', params: { dashboardId: id } }),
      onError: showFailure,
    });
  const shown = favouritesFirst(
    useFavourites(),
    sortedBy(sort, dashboardsFound(found.data ?? [], { text: wanted, tag })),
  );
  const newButton = (
    <Button
      leftSection={<IconPlus size={14} />}
      loading={create.isPending}
      onClick={() => begin({ name: 'New dashboard', tiles: [] })}
    >
      New dashboard
    </Button>
  );
  return (
    <Page
      title="Dashboards"
      actions={
        <>
          <ButtonLink to="/dashboards/deleted" variant="default" leftSection={<IconTrash size={14} />}>
            Deleted
          </ButtonLink>
          <ButtonLink to="/dashboards/import" variant="default" leftSection={<IconFileImport size={14} />}>
            Import
          </ButtonLink>
          <Button variant="default" leftSection={<IconTemplate size={14} />} onClick={() => setChoosing(true)}>
            From a template
          </Button>
          {newButton}
        </>
      }
    >
      {isChoosing ? (
        <Suspense>
          <TemplateDialog isSaving={create.isPending} onCreate={begin} onClose={() => setChoosing(false)} />
        </Suspense>
      ) : null}
      {found.error ? <ErrorNotice error={found.error} onRetry={() => void found.refetch()} /> : null}
      {found.data?.length === 0 ? (
        <EmptyState
          title="No dashboards yet"
          hint={
            <>
              A dashboard shows charts over your logs, traces and metrics. Make one here, import one from HyperDX or
              Grafana, or create it over the API. What to paste into your programs, so that they send telemetry, is on
              the page{' '}
              <AnchorLink to="/start" size="sm" underline="always">
                Send data
              </AnchorLink>
              .
            </>
          }
          action={newButton}
        />
      ) : null}
      {found.isPending || (found.data && found.data.length > 0) ? (
        <Panel>
          <Group gap={8} mb={8}>
            <TextInput
              size="xs"
              flex={1}
              maw={320}
              aria-label="Search dashboards"
              placeholder="Name or tag"
              leftSection={<IconSearch size={14} />}
              value={wanted}
              onChange={(event) => setWanted(event.currentTarget.value)}
            />
            <Select
              aria-label="Order of the dashboards"
              w={150}
              data={sortings}
              value={sort ?? 'oldest'}
              onChange={(next) => changeUrl({ sort: next === 'oldest' ? undefined : (next ?? undefined) })}
              allowDeselect={false}
            />
            {tag ? (
              <Button
                variant="light"
                rightSection={<IconX size={12} aria-hidden />}
                aria-label={`Also dashboards without the tag ${tag}`}
                maw={220}
                onClick={() => changeUrl({ tag: undefined })}
              >
                {tag}
              </Button>
            ) : null}
          </Group>
          {found.data && shown.length === 0 ? (
            <Text size="sm">
              No dashboard {tag ? `with the tag “${tag}” ` : ''}has “{wanted}” in its name or tags.
            </Text>
          ) : null}
          <Paged label="dashboards" rows={found.data && shown}>
            {(rows) => (
              <Table verticalSpacing={6} highlightOnHover aria-label="Dashboards">
                <Table.Tbody>
                  {rows ? null : <RowSkeleton columns={['base', 'base', 'sm', 'base']} />}
                  {rows?.map((dashboard) => (
                    <DashboardRow
                      key={dashboard.id}
                      dashboard={dashboard}
                      isFiring={firing.has(dashboard.id)}
                      onTag={(chosen) => changeUrl({ tag: chosen })}
                      onDuplicate={() => begin(copyOf(dashboard))}
                      onDelete={() => setDoomed(dashboard)}
                    />
                  ))}
                </Table.Tbody>
              </Table>
            )}
          </Paged>
        </Panel>
      ) : null}
      {doomed ? <DeleteDashboard dashboard={doomed} onClose={() => setDoomed(undefined)} /> : null}
    </Page>
  );
}

/** Dashboards on which an alert fires, as of a few seconds ago. */
function useFiringDashboards(): ReadonlySet<string> {
  const { data = [] } = useQuery(alertsQuery);
  return new Set(data.flatMap(({ state, dashboardId }) => (state === 'ALERT' && dashboardId ? [dashboardId] : [])));
}

interface DashboardRowProps {
  dashboard: Dashboard;
  isFiring: boolean;
  onTag: (tag: string) => void;
  onDuplicate: () => void;
  onDelete: () => void;
}

function DashboardRow({ dashboard, isFiring, onTag, onDuplicate, onDelete }: DashboardRowProps) {
  const { id, name, tags, tiles } = dashboard;
  return (
    <Table.Tr>
      <Table.Td className="long-text">
        <AnchorLink to="/dashboards/$dashboardId" params={{ dashboardId: id }} size="sm" fw={550}>
          {name}
        </AnchorLink>
        {isFiring ? (
          <Badge ml={8} size="xs" color="red" variant="outline" c="var(--sb-firing)">
            Firing
          </Badge>
        ) : null}
      </Table.Td>
      <Table.Td>
        <Group gap={4}>
          {tags.map((tag) => (
            <UnstyledButton key={tag} onClick={() => onTag(tag)} aria-label={`Dashboards with ${tag}`}>
              <Badge variant="default" tt="none" w="max-content" maw={110}>
                {tag}
              </Badge>
            </UnstyledButton>
          ))}
        </Group>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Text size="xs" c="var(--sb-muted)" style={{ whiteSpace: 'nowrap' }}>
          {tiles.length === 1 ? '1 tile' : `${tiles.length} tiles`}
        </Text>
      </Table.Td>
      <Table.Td ta="right" style={{ whiteSpace: 'nowrap' }}>
        <FavouriteButton id={id} name={name} />
        <ActionIcon variant="subtle" color="gray" aria-label={`Duplicate ${name}`} onClick={onDuplicate}>
          <IconCopy size={15} />
        </ActionIcon>
        <ActionIcon variant="subtle" color="gray" aria-label={`Delete ${name}`} onClick={onDelete}>
          <IconTrash size={15} />
        </ActionIcon>
      </Table.Td>
    </Table.Tr>
  );
}
