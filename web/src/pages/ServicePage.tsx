import { Skeleton, Stack } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { apiUrl } from '../api/client.ts';
import { IngestionKeys } from '../features/keys/IngestionKeys.tsx';
import { servicePath, useOrganization, useService } from '../features/organizations/organization-queries.ts';
import { PipeTable } from '../features/pipes/PipeTable.tsx';
import { CopyableId } from '../ui/CopyableId.tsx';
import { ErrorNotice } from '../ui/ErrorNotice.tsx';
import { CrumbLink } from '../ui/links.tsx';
import { Page } from '../ui/Page.tsx';
import { Panel } from '../ui/Panel.tsx';
import { Snippet } from '../ui/Snippet.tsx';

/** A service: its ids, how to call its API, its pipes and ingestion keys. */
export function ServicePage() {
  const { organizationId = '', serviceId = '' } = useParams({ strict: false });
  const service = useService(organizationId, serviceId);
  const organization = useOrganization(organizationId);
  const path = servicePath(organizationId, serviceId);
  const crumbs = (
    <>
      <CrumbLink to="/organizations">Organizations</CrumbLink>
      <CrumbLink to="/organizations/$organizationId" params={{ organizationId }}>
        {organization.data?.name ?? 'Organization'}
      </CrumbLink>
    </>
  );
  if (service.error)
    return (
      <Page title="Service" crumbs={crumbs}>
        <ErrorNotice error={service.error} onRetry={service.refetch} />
      </Page>
    );
  return (
    <Page title={service.data?.name ?? 'Service'} crumbs={crumbs}>
      <Stack gap={16}>
        <Panel title="Details">
          <Stack gap={8}>
            <CopyableId label="Organization id" value={organizationId} />
            <CopyableId label="Service id" value={serviceId} />
            <Snippet
              text={`curl -u "$KEY_ID:$KEY_SECRET" ${apiUrl(`${path}/pipes`)}`}
              label="curl line"
              caption="Query its API with an API key of the organization"
            />
          </Stack>
        </Panel>
        {/* Else a service without access would say so once in every panel. */}
        {service.data ? (
          <>
            <PipeTable organizationId={organizationId} serviceId={serviceId} />
            <IngestionKeys path={`${path}/ingestion-keys`} />
          </>
        ) : (
          <Skeleton height={240} />
        )}
      </Stack>
    </Page>
  );
}
