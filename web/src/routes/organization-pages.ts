import { lazyRouteComponent } from '@tanstack/react-router';
import { homeLeadsTo, page } from './frame.tsx';

/** The pages of the managed flavour outside of every service. */
export const organizationPages = [
  homeLeadsTo('/organizations'),
  page(
    '/organizations',
    lazyRouteComponent(() => import('../pages/OrganizationListPage.tsx'), 'OrganizationListPage'),
  ),
  page(
    '/organizations/$organizationId',
    lazyRouteComponent(() => import('../pages/OrganizationPage.tsx'), 'OrganizationPage'),
  ),
] as const;
