import { lazyRouteComponent } from '@tanstack/react-router';
import { dashboardQuery } from '../features/dashboards/dashboard-query.ts';
import { texts } from '../url-state.ts';
import { page, type RangeName } from './frame.tsx';

type SelectionName = 'selected' | 'selectedLang' | 'selectedFrom' | 'selectedTo';
type ListName = 'select' | 'order' | 'wrap' | 'event' | 'around' | 'scope' | 'within';
type SearchName = RangeName | SelectionName | ListName | 'source' | 'where' | 'lang' | 'view';

/** The pages of telemetry: a team’s, or those of a service in the managed flavour. */
export const telemetryPages = [
  page(
    '/start',
    lazyRouteComponent(() => import('../pages/StartPage.tsx'), 'StartPage'),
  ),
  page(
    '/dashboards',
    lazyRouteComponent(() => import('../pages/DashboardListPage.tsx'), 'DashboardListPage'),
    texts<'text' | 'tag' | 'sort'>,
  ),
  page(
    '/dashboards/import',
    lazyRouteComponent(() => import('../pages/DashboardImportPage.tsx'), 'DashboardImportPage'),
  ),
  page(
    '/dashboards/deleted',
    lazyRouteComponent(() => import('../pages/DeletedDashboardsPage.tsx'), 'DeletedDashboardsPage'),
  ),
  page(
    '/dashboards/$dashboardId/versions',
    lazyRouteComponent(() => import('../pages/DashboardVersionsPage.tsx'), 'DashboardVersionsPage'),
    texts<'version'>,
  ),
  page(
    '/dashboards/$dashboardId',
    lazyRouteComponent(() => import('../pages/DashboardPage.tsx'), 'DashboardPage'),
    texts<
      | RangeName
      | 'granularity'
      | 'highlightedTileId'
      | 'viewedTileId'
      | 'kiosk'
      | 'saved'
      | 'where'
      | 'lang'
      | `filter-${string}`
      | `section-${string}`
      | `tab-${string}`
    >,
    // While the files of its page are loaded.
    (client, { dashboardId = '' }) => void client.prefetchQuery(dashboardQuery(dashboardId)),
  ),
  page(
    '/search',
    lazyRouteComponent(() => import('../pages/SearchPage.tsx'), 'SearchPage'),
    texts<SearchName>,
  ),
  page(
    '/search/$savedSearchId',
    lazyRouteComponent(() => import('../pages/SearchPage.tsx'), 'SearchPage'),
    texts<SearchName>,
  ),
  page(
    '/services',
    lazyRouteComponent(() => import('../pages/ServiceListPage.tsx'), 'ServiceListPage'),
    texts<RangeName | 'source' | 'view' | 'text' | 'sort' | 'where' | 'lang'>,
  ),
  page(
    '/services/$service',
    lazyRouteComponent(() => import('../pages/ServiceOverviewPage.tsx'), 'ServiceOverviewPage'),
    texts<RangeName | 'source' | 'sort' | 'where' | 'lang'>,
  ),
  page(
    '/traces/$traceId',
    lazyRouteComponent(() => import('../pages/TracePage.tsx'), 'TracePage'),
    texts<'source' | 'at' | 'span'>,
  ),
  page(
    '/alerts',
    lazyRouteComponent(() => import('../pages/AlertListPage.tsx'), 'AlertListPage'),
    texts<'state' | 'text' | 'sort'>,
  ),
  page(
    '/alerts/new',
    lazyRouteComponent(() => import('../pages/AlertEditorPage.tsx'), 'AlertEditorPage'),
    texts<'dashboardId' | 'tileId' | 'savedSearchId'>,
  ),
  page(
    '/alerts/$alertId',
    lazyRouteComponent(() => import('../pages/AlertPage.tsx'), 'AlertPage'),
    texts<'historyPage' | 'deliveriesPage'>,
  ),
  page(
    '/alerts/$alertId/edit',
    lazyRouteComponent(() => import('../pages/AlertEditorPage.tsx'), 'AlertEditorPage'),
  ),
  page(
    '/silences',
    lazyRouteComponent(() => import('../pages/SilencesPage.tsx'), 'SilencesPage'),
  ),
  page(
    '/webhooks',
    lazyRouteComponent(() => import('../pages/WebhooksPage.tsx'), 'WebhooksPage'),
  ),
  page(
    '/sources',
    lazyRouteComponent(() => import('../pages/SourcesPage.tsx'), 'SourcesPage'),
  ),
  page(
    '/sources/new',
    lazyRouteComponent(() => import('../pages/SourcePage.tsx'), 'SourcePage'),
    texts<'kind' | 'copy'>,
  ),
  page(
    '/sources/$sourceId',
    lazyRouteComponent(() => import('../pages/SourcePage.tsx'), 'SourcePage'),
  ),
] as const;
