import { foundation } from './0001-foundation.ts';
import { alerts } from './0002-alerts.ts';
import { pipes } from './0003-pipes.ts';
import { alertLog } from './0004-alert-log.ts';
import { sessions } from './0005-sessions.ts';
import { savedSearches } from './0006-saved-searches.ts';
import { silences } from './0007-silences.ts';
import { deliveryTexts } from './0008-delivery-texts.ts';
import { webhookReceivers } from './0009-webhook-receivers.ts';
import { historyKeys } from './0010-history-keys.ts';
import { sealAndTeamNames } from './0011-seal-and-team-names.ts';
import { pipeRuns } from './0012-pipe-runs.ts';
import { teamTimeZone } from './0013-team-time-zone.ts';
import { dashboardVersions } from './0014-dashboard-versions.ts';
import { favourites } from './0015-favourites.ts';
import { favouritesOfAnyone } from './0016-favourites-of-anyone.ts';
import type { Migration } from './migration.ts';

/** In the order in which they are applied. */
export const migrationList: readonly Migration[] = [
  foundation,
  alerts,
  pipes,
  alertLog,
  sessions,
  savedSearches,
  silences,
  deliveryTexts,
  webhookReceivers,
  historyKeys,
  sealAndTeamNames,
  pipeRuns,
  teamTimeZone,
  dashboardVersions,
  favourites,
  favouritesOfAnyone,
];
