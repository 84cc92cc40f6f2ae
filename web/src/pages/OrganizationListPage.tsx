import { Skeleton, Stack } from '@mantine/core';
import { useOrganizations } from '../features/organizations/organization-queries.ts';
import { CopyableId } from '../ui/CopyableId.tsx';
import { ErrorNotice } from '../ui/ErrorNotice.tsx';
import { AnchorLink } from '../ui/links.tsx';
import { Page } from '../ui/Page.tsx';
import { Panel } from '../ui/Panel.tsx';

export function OrganizationListPage() {
  const organizations = useOrganizations();
  return (
    <Page title="Organizations">
      <Stack gap={16}>
        {organizations.error ? <ErrorNotice error={organizations.error} onRetry={organizations.refetch} /> : null}
        {organizations.isPending ? <Skeleton h={80} /> : null}
        {organizations.data?.map(({ id, name }) => (
          <Panel key={id}>
            <AnchorLink to="/organizations/$organizationId" params={{ organizationId: id }} fw={600}>
              {name}
            </AnchorLink>
            <CopyableId label="Organization id" value={id} />
          </Panel>
        ))}
      </Stack>
    </Page>
  );
}
