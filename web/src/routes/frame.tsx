import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  lazyRouteComponent,
  Outlet,
  type RouteComponent,
  redirect,
  retainSearchParams,
} from '@tanstack/react-router';
import { sessionQuery } from '../api/session.ts';
import { basePath, service } from '../boot.ts';
import { LogInOver } from '../features/account/LogInOver.tsx';
import { FiringCount } from '../features/alerts/FiringCount.tsx';
import { ServiceGate } from '../features/organizations/ServiceGate.tsx';
import { ServicePlate } from '../features/organizations/ServicePlate.tsx';
import { JumpButton } from '../features/palette/JumpButton.tsx';
import { Shortcuts } from '../features/palette/Shortcuts.tsx';
import { NotFoundPage } from '../pages/NotFoundPage.tsx';
import { Shell } from '../ui/Shell.tsx';
import { usePageZone } from '../ui/zone-choice.ts';
import { texts, type UrlTexts } from '../url-state.ts';

export const root = createRootRouteWithContext<{ client: QueryClient }>()({
  component: Outlet,
  notFoundComponent: NotFoundPage,
});

export const logIn = createRoute({
  getParentRoute: () => root,
  path: '/login',
  component: lazyRouteComponent(() => import('../pages/LogInPage.tsx'), 'LogInPage'),
  validateSearch: texts<'next'>,
});

export const join = createRoute({
  getParentRoute: () => root,
  path: '/join',
  component: lazyRouteComponent(() => import('../pages/JoinPage.tsx'), 'JoinPage'),
  validateSearch: texts<'token'>,
});

const alertMark = service ? (
  <ServiceGate place={service} otherwise={null}>
    <FiringCount />
  </ServiceGate>
) : (
  <FiringCount />
);

/** Everything behind the log-in, inside the frame of navigation. */
export const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  validateSearch: texts<'from' | 'to'>,
  // A time range accompanies the person from page to page.
  search: { middlewares: [retainSearchParams(['from', 'to'])] },
  component: () => (
    <>
      <Shell
        place={service ? <ServicePlate place={service} /> : null}
        alertMark={alertMark}
        jump={(short) => <JumpButton short={short} />}
      >
        {service ? (
          <ServiceGate place={service}>
            <Outlet />
          </ServiceGate>
        ) : (
          <Outlet />
        )}
      </Shell>
      <Shortcuts />
      <LogInOver />
    </>
  ),
  beforeLoad: async ({ context, location }) => {
    const session = await context.client.ensureQueryData(sessionQuery);
    if (session.user) return;
    const next = location.publicHref;
    // The pages of a service have no log-in among them.
    if (service) throw redirect({ href: `${basePath}login?${new URLSearchParams({ next })}`, reloadDocument: true });
    throw redirect({ to: '/login', search: { next } });
  },
});

export type RangeName = 'from' | 'to' | 'refresh';

/** A page inside the frame; `validateSearch` lists the names after the `?` that it reads, `load` what it begins to read. */
export const page = <const Path extends string, Name extends string = never>(
  path: Path,
  component: RouteComponent,
  validateSearch: (search: UrlTexts<Name>) => UrlTexts<Name> = texts<Name>,
  load: (client: QueryClient, params: Record<string, string>) => void = () => undefined,
) =>
  createRoute({
    getParentRoute: () => inside,
    path,
    component: zoned(component),
    validateSearch,
    loader: ({ context, params }) => load(context.client, { ...params }),
  });

/** Draws the page again, with what is edited on it, when another time zone is chosen. */
function zoned(Component: RouteComponent): RouteComponent {
  function ZonedPage() {
    usePageZone();
    return <Component />;
  }
  return Component.preload ? Object.assign(ZonedPage, { preload: Component.preload }) : ZonedPage;
}

/** The address of the pages themselves, where that is only the way to one of them. */
export const homeLeadsTo = (to: '/dashboards' | '/organizations') =>
  createRoute({
    getParentRoute: () => inside,
    path: '/',
    beforeLoad: () => {
      throw redirect({ to });
    },
  });

export const account = page(
  '/account',
  lazyRouteComponent(() => import('../pages/AccountPage.tsx'), 'AccountPage'),
);
