import { Stack } from '@mantine/core';
import { apiUrl } from '../api/client.ts';
import { useSession } from '../api/session.ts';
import { basePath } from '../boot.ts';
import { IngestionKeys } from '../features/keys/IngestionKeys.tsx';
import { useService } from '../features/organizations/organization-queries.ts';
import { ownService } from '../features/organizations/own-service.ts';
import { CopyableId } from '../ui/CopyableId.tsx';
import { CrumbAnchor } from '../ui/links.tsx';
import { Page } from '../ui/Page.tsx';
import { Panel } from '../ui/Panel.tsx';
import { Snippet } from '../ui/Snippet.tsx';

/** A service itself: its ids, how to call its API, and its ingestion keys. */
export function ServicePage() {
  const { organizationId, serviceId, path } = ownService();
  const service = useService(organizationId, serviceId);
  const organization = useSession()?.organizations.find(({ id }) => id === organizationId.toLowerCase());
  const crumbs = (
    <>
      <CrumbAnchor href={`${basePath}organizations`}>Organizations</CrumbAnchor>
      <CrumbAnchor href={`${basePath}organizations/${organizationId}`}>
        {organization?.name ?? 'Organization'}
      </CrumbAnchor>
    </>
  );
  return (
    <Page title={service.data?.name ?? 'Service'} crumbs={crumbs}>
      <Stack gap={16}>
        <Panel title="Details">
          <Stack gap={8}>
            <CopyableId label="Organization id" value={organizationId} />
            <CopyableId label="Service id" value={serviceId} />
            <Snippet
              text={`curl -u "$KEY_ID:$KEY_SECRET" ${apiUrl('dashboards')}`}
              label="curl line"
              caption="Query its API with an API key of the organization"
            />
          </Stack>
        </Panel>
        <IngestionKeys path={`${path}/ingestion-keys`} />
      </Stack>
    </Page>
  );
}
