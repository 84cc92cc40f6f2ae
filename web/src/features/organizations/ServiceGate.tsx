import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { basePath } from '../../boot.ts';
import type { ServicePlace } from '../../service-place.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { CrumbAnchor } from '../../ui/links.tsx';
import { Page } from '../../ui/Page.tsx';
import { useService } from './organization-queries.ts';

export interface ServiceGateProps {
  place: ServicePlace;
  /** Instead of the children; a page that says why when absent. */
  otherwise?: ReactNode;
  children: ReactNode;
}

/** What a person with access to the service sees; otherwise each part of a page would say that there is none. */
export function ServiceGate({ place, otherwise, children }: ServiceGateProps) {
  const service = useService(place.organizationId, place.serviceId);
  if (service.data) return children;
  if (otherwise !== undefined) return otherwise;
  return (
    <Page title="Service" crumbs={<CrumbAnchor href={`${basePath}organizations`}>Organizations</CrumbAnchor>}>
      {service.error ? <ErrorNotice error={service.error} onRetry={service.refetch} /> : <Skeleton h={240} />}
    </Page>
  );
}
