import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  type RouteComponent,
  redirect,
  retainSearchParams,
} from '@tanstack/react-router';
import { sessionQuery } from './api/session.ts';
import { basePath, flavour } from './boot.ts';
import { LogInOver } from './features/account/LogInOver.tsx';
import { FiringCount } from './features/alerts/FiringCount.tsx';
import { JumpButton } from './features/palette/JumpButton.tsx';
import { Shortcuts } from './features/palette/Shortcuts.tsx';
import { NotFoundPage } from './pages/NotFoundPage.tsx';
import { ProblemPage } from './pages/ProblemPage.tsx';
import { Shell } from './ui/Shell.tsx';
import { usePageZone } from './ui/zone-choice.ts';
import { parseUrlState, printUrlState, texts, type UrlTexts } from './url-state.ts';

const root = createRootRouteWithContext<{ client: QueryClient }>()({
  component: Outlet,
  notFoundComponent: NotFoundPage,
});

const logIn = createRoute({
  getParentRoute: () => root,
  path: '/login',
  component: lazyRouteComponent(() => import('./pages/LogInPage.tsx'), 'LogInPage'),
  validateSearch: texts<'next'>,
});
const join = createRoute({
  getParentRoute: () => root,
  path: '/join',
  component: lazyRouteComponent(() => import('./pages/JoinPage.tsx'), 'JoinPage'),
  validateSearch: texts<'token'>,
});

/** Everything behind the log-in, inside the frame of navigation. */
const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  validateSearch: texts<'from' | 'to'>,
  // A time range accompanies the person from page to page.
  search: { middlewares: [retainSearchParams(['from', 'to'])] },
  component: () => (
    <>
      <Shell alertMark={<FiringCount />} jump={(short) => <JumpButton short={short} />} />
      <Shortcuts />
      <LogInOver />
    </>
  ),
  beforeLoad: async ({ context, location }) => {
    const session = await context.client.ensureQueryData(sessionQuery);
    if (!session.user) throw redirect({ to: '/login', search: { next: location.href } });
  },
});

const home = createRoute({
  getParentRoute: () => inside,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: flavour === 'managed' ? '/organizations' : '/dashboards' });
  },
});

type RangeName = 'from' | 'to' | 'refresh';
type SelectionName = 'selected' | 'selectedLang' | 'selectedFrom' | 'selectedTo';
type ListName = 'select' | 'order' | 'wrap' | 'event' | 'around' | 'scope' | 'within';
type SearchName = RangeName | SelectionName | ListName | 'source' | 'where' | 'lang' | 'view';

/** A page inside the frame; `validateSearch` lists the names after the `?` that it reads. */
const page = <const Path extends string, Name extends string = never>(
  path: Path,
  component: RouteComponent,
  validateSearch: (search: UrlTexts<Name>) => UrlTexts<Name> = texts<Name>,
) => createRoute({ getParentRoute: () => inside, path, component: zoned(component), validateSearch });

/** Draws the page again, with what is edited on it, when another time zone is chosen. */
function zoned(Component: RouteComponent): RouteComponent {
  function ZonedPage() {
    usePageZone();
    return <Component />;
  }
  return Component.preload ? Object.assign(ZonedPage, { preload: Component.preload }) : ZonedPage;
}

const selfHostedPages = [
  page(
    '/start',
    lazyRouteComponent(() => import('./pages/StartPage.tsx'), 'StartPage'),
  ),
  page(
    '/dashboards',
    lazyRouteComponent(() => import('./pages/DashboardListPage.tsx'), 'DashboardListPage'),
    texts<'text' | 'tag' | 'sort'>,
  ),
  page(
    '/dashboards/import',
    lazyRouteComponent(() => import('./pages/DashboardImportPage.tsx'), 'DashboardImportPage'),
  ),
  page(
    '/dashboards/deleted',
    lazyRouteComponent(() => import('./pages/DeletedDashboardsPage.tsx'), 'DeletedDashboardsPage'),
  ),
  page(
    '/dashboards/$dashboardId/versions',
    lazyRouteComponent(() => import('./pages/DashboardVersionsPage.tsx'), 'DashboardVersionsPage'),
    texts<'version'>,
  ),
  page(
    '/dashboards/$dashboardId',
    lazyRouteComponent(() => import('./pages/DashboardPage.tsx'), 'DashboardPage'),
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
  ),
  page(
    '/search',
    lazyRouteComponent(() => import('./pages/SearchPage.tsx'), 'SearchPage'),
    texts<SearchName>,
  ),
  page(
    '/search/$savedSearchId',
    lazyRouteComponent(() => import('./pages/SearchPage.tsx'), 'SearchPage'),
    texts<SearchName>,
  ),
  page(
    '/services',
    lazyRouteComponent(() => import('./pages/ServiceListPage.tsx'), 'ServiceListPage'),
    texts<RangeName | 'source' | 'view' | 'text' | 'sort' | 'where' | 'lang'>,
  ),
  page(
    '/services/$service',
    lazyRouteComponent(() => import('./pages/ServiceOverviewPage.tsx'), 'ServiceOverviewPage'),
    texts<RangeName | 'source' | 'sort' | 'where' | 'lang'>,
  ),
  page(
    '/traces/$traceId',
    lazyRouteComponent(() => import('./pages/TracePage.tsx'), 'TracePage'),
    texts<'source' | 'at' | 'span'>,
  ),
  page(
    '/alerts',
    lazyRouteComponent(() => import('./pages/AlertListPage.tsx'), 'AlertListPage'),
    texts<'state' | 'text' | 'sort'>,
  ),
  page(
    '/alerts/new',
    lazyRouteComponent(() => import('./pages/AlertEditorPage.tsx'), 'AlertEditorPage'),
    texts<'dashboardId' | 'tileId' | 'savedSearchId'>,
  ),
  page(
    '/alerts/$alertId',
    lazyRouteComponent(() => import('./pages/AlertPage.tsx'), 'AlertPage'),
    texts<'historyPage' | 'deliveriesPage'>,
  ),
  page(
    '/alerts/$alertId/edit',
    lazyRouteComponent(() => import('./pages/AlertEditorPage.tsx'), 'AlertEditorPage'),
  ),
  page(
    '/silences',
    lazyRouteComponent(() => import('./pages/SilencesPage.tsx'), 'SilencesPage'),
  ),
  page(
    '/webhooks',
    lazyRouteComponent(() => import('./pages/WebhooksPage.tsx'), 'WebhooksPage'),
  ),
  page(
    '/sources',
    lazyRouteComponent(() => import('./pages/SourcesPage.tsx'), 'SourcesPage'),
  ),
  page(
    '/sources/new',
    lazyRouteComponent(() => import('./pages/SourcePage.tsx'), 'SourcePage'),
    texts<'kind' | 'copy'>,
  ),
  page(
    '/sources/$sourceId',
    lazyRouteComponent(() => import('./pages/SourcePage.tsx'), 'SourcePage'),
  ),
  page(
    '/settings',
    lazyRouteComponent(() => import('./pages/TeamSettingsPage.tsx'), 'TeamSettingsPage'),
    texts<'tab'>,
  ),
] as const;

const managedPages = [
  page(
    '/organizations',
    lazyRouteComponent(() => import('./pages/OrganizationListPage.tsx'), 'OrganizationListPage'),
  ),
  page(
    '/organizations/$organizationId',
    lazyRouteComponent(() => import('./pages/OrganizationPage.tsx'), 'OrganizationPage'),
  ),
  page(
    '/organizations/$organizationId/services/$serviceId',
    lazyRouteComponent(() => import('./pages/ServicePage.tsx'), 'ServicePage'),
  ),
  page(
    '/organizations/$organizationId/services/$serviceId/pipes/new',
    lazyRouteComponent(() => import('./pages/PipeEditorPage.tsx'), 'NewPipePage'),
  ),
  page(
    '/organizations/$organizationId/services/$serviceId/pipes/$pipeId/edit',
    lazyRouteComponent(() => import('./pages/PipeEditorPage.tsx'), 'EditPipePage'),
  ),
  page(
    '/organizations/$organizationId/services/$serviceId/pipes/$pipeId',
    lazyRouteComponent(() => import('./pages/PipePage.tsx'), 'PipePage'),
  ),
] as const;

const account = page(
  '/account',
  lazyRouteComponent(() => import('./pages/AccountPage.tsx'), 'AccountPage'),
);

/** Every page of this flavour. The managed flavour has no routes for charts or webhooks, as its API has none. */
export function createAppRouter(client: QueryClient) {
  const pages =
    flavour === 'managed'
      ? inside.addChildren([home, account, ...managedPages])
      : inside.addChildren([home, account, ...selfHostedPages]);
  return createRouter({
    routeTree: root.addChildren([logIn, join, pages]),
    context: { client },
    basepath: basePath,
    parseSearch: parseUrlState,
    stringifySearch: printUrlState,
    defaultErrorComponent: ({ error }) => (
      <ProblemPage error={error instanceof Error ? error : new Error(String(error))} />
    ),
    defaultPreload: 'intent',
    scrollRestoration: false,
  });
}

// Links, `navigate` and `useSearch` are checked against these routes, of both flavours.
declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
