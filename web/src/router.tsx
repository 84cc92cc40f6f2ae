import type { QueryClient } from '@tanstack/react-query';
import { createRouter } from '@tanstack/react-router';
import { basePath, flavour, service } from './boot.ts';
import { ProblemPage } from './pages/ProblemPage.tsx';
import { account, inside, join, logIn, root } from './routes/frame.tsx';
import { organizationPages } from './routes/organization-pages.ts';
import { servicePages } from './routes/service-pages.ts';
import { teamPages } from './routes/team-pages.ts';
import { telemetryPages } from './routes/telemetry-pages.ts';
import { parseUrlState, printUrlState } from './url-state.ts';

/**
 * The pages of this document: those of a team (self-hosted), of organizations, or of one service (managed). The address
 * decides, and plain links lead from organizations to a service and back, so that each service is a separate document
 * with nothing of another one in memory. Addresses of pages are below the service, as they are below the root
 * self-hosted: links on pages are the same in both.
 */
export function createAppRouter(client: QueryClient) {
  return createRouter({
    routeTree: pagesOfDocument(),
    context: { client },
    basepath: service?.pagesPath ?? basePath,
    parseSearch: parseUrlState,
    stringifySearch: printUrlState,
    defaultErrorComponent: ({ error }) => (
      <ProblemPage error={error instanceof Error ? error : new Error(String(error))} />
    ),
    defaultPreload: 'intent',
    scrollRestoration: false,
  });
}

function pagesOfDocument() {
  if (flavour === 'self-hosted')
    return root.addChildren([logIn, join, inside.addChildren([account, ...teamPages, ...telemetryPages])]);
  if (service) return root.addChildren([inside.addChildren([account, ...servicePages, ...telemetryPages])]);
  return root.addChildren([logIn, join, inside.addChildren([account, ...organizationPages])]);
}

// Links, `navigate` and `useSearch` are checked against these routes, of all documents.
declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
