import { Badge, Button, Group, Skeleton, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { Dashboard } from '../../../src/contract/dashboard.ts';
import type { DashboardVersionRecord } from '../../../src/contract/dashboard-version.ts';
import type { ApiAnswer } from '../api/client.ts';
import { dashboardQuery } from '../features/dashboards/dashboard-query.ts';
import { RestoreVersion } from '../features/dashboards/RestoreVersion.tsx';
import { VersionDifferences } from '../features/dashboards/VersionDifferences.tsx';
import { useAuthorName, versionQuery, versionsQuery } from '../features/dashboards/version-queries.ts';
import { ErrorNotice } from '../ui/ErrorNotice.tsx';
import { instantText } from '../ui/instant-text.ts';
import { CrumbLink } from '../ui/links.tsx';
import { Page } from '../ui/Page.tsx';
import { Panel } from '../ui/Panel.tsx';
import { RowSkeleton } from '../ui/RowSkeleton.tsx';
import { useUrlState } from '../url-state.ts';

/** What a dashboard was: who saved it when, what changed, and the way back. */
export function DashboardVersionsPage() {
  const { dashboardId = '' } = useParams({ strict: false });
  const [{ version }, changeUrl] = useUrlState();
  const present = useQuery(dashboardQuery(dashboardId));
  const versions = useQuery(versionsQuery(dashboardId));
  const error = present.error ?? versions.error;
  const compared = /^[1-9]\d{0,8}$/.test(version ?? '') ? Number(version) : undefined;
  return (
    <Page
      title="Versions"
      crumbs={
        <>
          <CrumbLink to="/dashboards">Dashboards</CrumbLink>
          <CrumbLink to="/dashboards/$dashboardId" params={{ dashboardId }}>
            {present.data?.data.name ?? 'Dashboard'}
          </CrumbLink>
        </>
      }
    >
      {error ? <ErrorNotice error={error} onRetry={() => void versions.refetch()} /> : null}
      {versions.data || (versions.isPending && !error) ? (
        <Stack gap={16}>
          <Panel>
            <Text size="sm" mb={8}>
              Every save keeps the version before. The last 50 are kept for 90 days.
            </Text>
            <Table.ScrollContainer minWidth={300} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
              <VersionTable
                versions={versions.data}
                compared={compared}
                onCompare={(chosen) => changeUrl({ version: String(chosen) })}
              />
            </Table.ScrollContainer>
          </Panel>
          {compared === undefined ? null : (
            <Comparison key={compared} dashboardId={dashboardId} version={compared} present={present.data} />
          )}
        </Stack>
      ) : null}
    </Page>
  );
}

interface VersionTableProps {
  /** Absent while they are read. */
  versions: readonly DashboardVersionRecord[] | undefined;
  compared: number | undefined;
  onCompare: (version: number) => void;
}

function VersionTable({ versions, compared, onCompare }: VersionTableProps) {
  const nameOf = useAuthorName();
  return (
    <Table aria-label="Versions">
      <Table.Thead>
        <Table.Tr>
          <Table.Th visibleFrom="sm">Version</Table.Th>
          <Table.Th>Saved</Table.Th>
          <Table.Th visibleFrom="sm">By</Table.Th>
          <Table.Th>What changed</Table.Th>
          <Table.Th aria-label="Compare" />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {versions ? null : <RowSkeleton columns={['sm', 'base', 'sm', 'base', 'base']} />}
        {versions?.map(({ version, savedAt, by, summary }, index) => (
          <Table.Tr key={version} aria-current={version === compared || undefined}>
            <Table.Td visibleFrom="sm">{version}</Table.Td>
            <Table.Td>
              {savedAt ? instantText(savedAt) : 'not known'}
              <Text size="xs" c="dimmed" className="long-text" hiddenFrom="sm">
                by {nameOf(by)}, version {version}
              </Text>
            </Table.Td>
            <Table.Td visibleFrom="sm" className="long-text">
              {nameOf(by)}
            </Table.Td>
            <Table.Td className="long-text">{summary ?? 'not known'}</Table.Td>
            <Table.Td ta="right">
              {index === 0 ? (
                <Badge variant="default" tt="none">
                  Present
                </Badge>
              ) : (
                <Button
                  size="compact-xs"
                  variant={version === compared ? 'light' : 'default'}
                  aria-pressed={version === compared}
                  aria-label={`Compare version ${version} with the present one`}
                  onClick={() => onCompare(version)}
                >
                  Compare
                </Button>
              )}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

interface ComparisonProps {
  dashboardId: string;
  version: number;
  present: ApiAnswer<Dashboard> | undefined;
}

function Comparison({ dashboardId, version, present }: ComparisonProps) {
  const past = useQuery(versionQuery(dashboardId, version));
  const [isRestoring, setRestoring] = useState(false);
  return (
    <Panel title={`Version ${version} and the present one`}>
      {past.error ? <ErrorNotice error={past.error} onRetry={() => void past.refetch()} /> : null}
      {past.isPending && !past.error ? <Skeleton height={80} /> : null}
      {past.data && present ? (
        <Stack gap={12}>
          <VersionDifferences past={past.data.dashboard} present={present.data} />
          <Group>
            <Button onClick={() => setRestoring(true)}>Restore version {version}</Button>
          </Group>
        </Stack>
      ) : null}
      {isRestoring && past.data ? (
        <RestoreVersion
          dashboardId={dashboardId}
          past={past.data}
          etag={present?.etag}
          onClose={() => setRestoring(false)}
        />
      ) : null}
    </Panel>
  );
}
