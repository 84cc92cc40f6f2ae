import {
  IconAffiliate,
  IconBell,
  IconBellOff,
  IconBuilding,
  IconDatabase,
  IconLayoutDashboard,
  IconPlugConnected,
  IconSearch,
  IconSettings,
  IconWebhook,
} from '@tabler/icons-react';
import { flavour } from '../boot.ts';

const selfHosted = [
  { label: 'Dashboards', to: '/dashboards', letter: 'd', Icon: IconLayoutDashboard },
  { label: 'Search', to: '/search', letter: 's', Icon: IconSearch },
  { label: 'Services', to: '/services', letter: 'v', Icon: IconAffiliate },
  { label: 'Alerts', to: '/alerts', letter: 'a', Icon: IconBell },
  { label: 'Silences', to: '/silences', letter: 'i', Icon: IconBellOff },
  { label: 'Webhooks', to: '/webhooks', letter: 'w', Icon: IconWebhook },
  { label: 'Sources', to: '/sources', letter: 'o', Icon: IconDatabase },
  { label: 'Send data', to: '/start', letter: 'n', Icon: IconPlugConnected },
  { label: 'Team Settings', to: '/settings', letter: 't', Icon: IconSettings },
] as const;

const managed = [{ label: 'Organizations', to: '/organizations', letter: 'o', Icon: IconBuilding }] as const;

export type Section = (typeof selfHosted)[number] | (typeof managed)[number];

/** What the navigation leads to; `g` and the letter do so, too. */
export const sections: readonly Section[] = flavour === 'managed' ? managed : selfHosted;
