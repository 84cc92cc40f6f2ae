import { useParams } from '@tanstack/react-router';
import type { Pipe } from '../../../../src/contract/pipe.ts';
import { CrumbLink } from '../../ui/links.tsx';
import { useOrganization, useService } from '../organizations/organization-queries.ts';

/** Links to the pages that a page of a pipe is in; `pipe` where it has a page of its parts. */
export function PipeCrumbs({ pipe }: { pipe?: Pick<Pipe, 'id' | 'name'> | undefined }) {
  const { organizationId = '', serviceId = '' } = useParams({ strict: false });
  const organization = useOrganization(organizationId);
  const service = useService(organizationId, serviceId);
  return (
    <>
      <CrumbLink to="/organizations">Organizations</CrumbLink>
      <CrumbLink to="/organizations/$organizationId" params={{ organizationId }}>
        {organization.data?.name ?? 'Organization'}
      </CrumbLink>
      <CrumbLink to="/organizations/$organizationId/services/$serviceId" params={{ organizationId, serviceId }}>
        {service.data?.name ?? 'Service'}
      </CrumbLink>
      {pipe ? (
        <CrumbLink
          to="/organizations/$organizationId/services/$serviceId/pipes/$pipeId"
          params={{ organizationId, serviceId, pipeId: pipe.id }}
        >
          {pipe.name}
        </CrumbLink>
      ) : null}
    </>
  );
}
