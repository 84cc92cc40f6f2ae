import { lazyRouteComponent } from '@tanstack/react-router';
import { page } from './frame.tsx';

/** What a service has beside the pages of its telemetry. */
export const servicePages = [
  page(
    '/',
    lazyRouteComponent(() => import('../pages/ServicePage.tsx'), 'ServicePage'),
  ),
  page(
    '/pipes',
    lazyRouteComponent(() => import('../pages/PipeListPage.tsx'), 'PipeListPage'),
  ),
  page(
    '/pipes/new',
    lazyRouteComponent(() => import('../pages/PipeEditorPage.tsx'), 'NewPipePage'),
  ),
  page(
    '/pipes/$pipeId',
    lazyRouteComponent(() => import('../pages/PipePage.tsx'), 'PipePage'),
  ),
  page(
    '/pipes/$pipeId/edit',
    lazyRouteComponent(() => import('../pages/PipeEditorPage.tsx'), 'EditPipePage'),
  ),
] as const;
