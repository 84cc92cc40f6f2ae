import {
  IconAffiliate,
  IconArrowsRightLeft,
  IconBell,
  IconBellOff,
  IconBuilding,
  IconDatabase,
  IconInfoCircle,
  IconLayoutDashboard,
  IconPlugConnected,
  IconSearch,
  IconSettings,
  IconWebhook,
} from '@tabler/icons-react';
import { flavour, service } from '../boot.ts';

const ofTelemetry = [
  { label: 'Dashboards', to: '/dashboards', letter: 'd', Icon: IconLayoutDashboard },
  { label: 'Search', to: '/search', letter: 's', Icon: IconSearch },
  { label: 'Services', to: '/services', letter: 'v', Icon: IconAffiliate },
  { label: 'Alerts', to: '/alerts', letter: 'a', Icon: IconBell },
  { label: 'Silences', to: '/silences', letter: 'i', Icon: IconBellOff },
  { label: 'Webhooks', to: '/webhooks', letter: 'w', Icon: IconWebhook },
  { label: 'Sources', to: '/sources', letter: 'o', Icon: IconDatabase },
] as const;

const sendData = { label: 'Send data', to: '/start', letter: 'n', Icon: IconPlugConnected } as const;

const ofTeam = [
  ...ofTelemetry,
  sendData,
  { label: 'Team Settings', to: '/settings', letter: 't', Icon: IconSettings },
] as const;

const ofService = [
  { label: 'Overview', to: '/', letter: 'h', Icon: IconInfoCircle },
  ...ofTelemetry,
  { label: 'Pipes', to: '/pipes', letter: 'p', Icon: IconArrowsRightLeft },
  sendData,
] as const;

const ofOrganizations = [{ label: 'Organizations', to: '/organizations', letter: 'o', Icon: IconBuilding }] as const;

export type Section = (typeof ofTeam)[number] | (typeof ofService)[number] | (typeof ofOrganizations)[number];

/** What the navigation leads to; `g` and the letter do so, too. */
export const sections: readonly Section[] = flavour === 'self-hosted' ? ofTeam : service ? ofService : ofOrganizations;
