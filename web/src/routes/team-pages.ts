import { lazyRouteComponent } from '@tanstack/react-router';
import { texts } from '../url-state.ts';
import { homeLeadsTo, page } from './frame.tsx';

/** What a team has beside the pages of its telemetry. */
export const teamPages = [
  homeLeadsTo('/dashboards'),
  page(
    '/settings',
    lazyRouteComponent(() => import('../pages/TeamSettingsPage.tsx'), 'TeamSettingsPage'),
    texts<'tab'>,
  ),
] as const;
