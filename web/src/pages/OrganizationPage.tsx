import { Skeleton, Stack } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { CloudKeys } from '../features/organizations/CloudKeys.tsx';
import { useOrganization } from '../features/organizations/organization-queries.ts';
import { ServicePanel } from '../features/organizations/ServicePanel.tsx';
import { CopyableId } from '../ui/CopyableId.tsx';
import { ErrorNotice } from '../ui/ErrorNotice.tsx';
import { CrumbLink } from '../ui/links.tsx';
import { Page } from '../ui/Page.tsx';
import { Panel } from '../ui/Panel.tsx';

const crumbs = <CrumbLink to="/organizations">Organizations</CrumbLink>;

/** An organization: its id, its services and the keys of its API. */
export function OrganizationPage() {
  const { organizationId = '' } = useParams({ strict: false });
  const organization = useOrganization(organizationId);
  if (organization.error)
    return (
      <Page title="Organization" crumbs={crumbs}>
        <ErrorNotice error={organization.error} onRetry={organization.refetch} />
      </Page>
    );
  if (!organization.data)
    return (
      <Page title="Organization">
        <Skeleton h={160} />
      </Page>
    );
  return (
    <Page title={organization.data.name} crumbs={crumbs}>
      <Stack gap={16}>
        <Panel title="Details">
          <CopyableId label="Organization id" value={organizationId} />
        </Panel>
        <ServicePanel organizationId={organizationId} />
        <CloudKeys organizationId={organizationId} />
      </Stack>
    </Page>
  );
}
