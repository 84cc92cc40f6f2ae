import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { sessionQuery } from './api/session.ts';
import { basePath, flavour } from './boot.ts';
import { LogInPage } from './pages/LogInPage.tsx';
import { NotFoundPage } from './pages/NotFoundPage.tsx';
import { ProblemPage } from './pages/ProblemPage.tsx';
import { Shell } from './ui/Shell.tsx';
import { parseUrlState, printUrlState, type UrlState } from './url-state.ts';

const root = createRootRouteWithContext<{ client: QueryClient }>()({
  component: Outlet,
  notFoundComponent: NotFoundPage,
  validateSearch: (search): UrlState => search as UrlState,
});

const logIn = createRoute({ getParentRoute: () => root, path: '/login', component: LogInPage });
const join = createRoute({
  getParentRoute: () => root,
  path: '/join',
  component: lazyRouteComponent(() => import('./pages/JoinPage.tsx'), 'JoinPage'),
});

/** Everything behind the log-in, inside the frame of navigation. */
const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  component: Shell,
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

const page = (path: string, component: ReturnType<typeof lazyRouteComponent>) =>
  createRoute({ getParentRoute: () => inside, path, component });

const selfHostedPages = [
  page(
    '/dashboards',
    lazyRouteComponent(() => import('./pages/DashboardListPage.tsx'), 'DashboardListPage'),
  ),
  page(
    '/dashboards/$dashboardId',
    lazyRouteComponent(() => import('./pages/DashboardPage.tsx'), 'DashboardPage'),
  ),
  page(
    '/search',
    lazyRouteComponent(() => import('./pages/SearchPage.tsx'), 'SearchPage'),
  ),
  page(
    '/search/$savedSearchId',
    lazyRouteComponent(() => import('./pages/SearchPage.tsx'), 'SearchPage'),
  ),
  page(
    '/traces/$traceId',
    lazyRouteComponent(() => import('./pages/TracePage.tsx'), 'TracePage'),
  ),
  page(
    '/alerts',
    lazyRouteComponent(() => import('./pages/AlertListPage.tsx'), 'AlertListPage'),
  ),
  page(
    '/alerts/new',
    lazyRouteComponent(() => import('./pages/AlertEditorPage.tsx'), 'AlertEditorPage'),
  ),
  page(
    '/alerts/$alertId',
    lazyRouteComponent(() => import('./pages/AlertPage.tsx'), 'AlertPage'),
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
    '/sources/$sourceId',
    lazyRouteComponent(() => import('./pages/SourcePage.tsx'), 'SourcePage'),
  ),
  page(
    '/settings',
    lazyRouteComponent(() => import('./pages/TeamSettingsPage.tsx'), 'TeamSettingsPage'),
  ),
];

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
    '/organizations/$organizationId/services/$serviceId/pipes/$pipeId',
    lazyRouteComponent(() => import('./pages/PipePage.tsx'), 'PipePage'),
  ),
];

const account = page(
  '/account',
  lazyRouteComponent(() => import('./pages/AccountPage.tsx'), 'AccountPage'),
);

/** Every page of this flavour. The managed flavour has no routes for charts or webhooks, as its API has none. */
export function createAppRouter(client: QueryClient) {
  const pages = flavour === 'managed' ? managedPages : selfHostedPages;
  return createRouter({
    routeTree: root.addChildren([logIn, join, inside.addChildren([home, account, ...pages])]),
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
