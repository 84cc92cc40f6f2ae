import { DashboardSchema } from '../../../contract/dashboard.ts';
import { DashboardVersionSchema, PastDashboardSchema } from '../../../contract/dashboard-version.ts';
import { RemovalMetaSchema } from '../../../contract/envelope.ts';
import { AppError } from '../../../contract/errors.ts';
import { operation } from '../../../http/operation.ts';
import type { DashboardRepository } from '../dashboard-repository.ts';
import type { DashboardService } from '../dashboard-service.ts';
import { etagOf } from '../if-match.ts';
import { presentPast, presentVersion } from '../present-version.ts';
import { writingOf } from './writing-of.ts';

/** Extension: the present version and the last ones before it, the newest first. */
export function listDashboardVersions({ dashboards }: { dashboards: Pick<DashboardRepository, 'versions'> }) {
  return operation({
    id: 'listDashboardVersions',
    method: 'GET',
    path: '/dashboards/:id/versions',
    flavours: ['selfHosted', 'managed'],
    summary: 'List the versions of a dashboard, the newest first',
    tag: 'Dashboards',
    role: 'read',
    answer: { kind: 'list', schema: DashboardVersionSchema },
    errors: ['dashboard_not_found'],
    handle: async ({ principal, params: { id = '' } }) => {
      const versions = await dashboards.versions(principal.tenantId, id);
      if (versions.length === 0) throw new AppError('dashboard_not_found');
      return { kind: 'data', data: versions.map(presentVersion) };
    },
  });
}

/** Extension: a version as it was saved. */
export function getDashboardVersion({ service }: { service: DashboardService }) {
  return operation({
    id: 'getDashboardVersion',
    method: 'GET',
    path: '/dashboards/:id/versions/:version',
    flavours: ['selfHosted', 'managed'],
    summary: 'Get a version of a dashboard',
    tag: 'Dashboards',
    role: 'read',
    answer: { kind: 'one', schema: PastDashboardSchema },
    errors: ['dashboard_not_found', 'dashboard_version_not_found'],
    handle: async ({ principal, params: { id = '', version = '' } }) => {
      const past = await service.version(principal.tenantId, id, versionNumber(version));
      return { kind: 'data', data: presentPast(past) };
    },
  });
}

/** Extension: a save of what was. */
export function restoreDashboardVersion({ service }: { service: DashboardService }) {
  return operation({
    id: 'restoreDashboardVersion',
    method: 'POST',
    path: '/dashboards/:id/versions/:version/restore',
    flavours: ['selfHosted', 'managed'],
    summary: 'Make a past version of a dashboard the next one',
    tag: 'Dashboards',
    role: 'admin',
    answer: { kind: 'one', schema: DashboardSchema, meta: RemovalMetaSchema },
    errors: ['dashboard_not_found', 'dashboard_version_not_found', 'precondition_failed'],
    handle: async ({ principal, params: { id = '', version = '' }, ifMatch }) => {
      const writing = writingOf({ principal, ifMatch });
      const restored = await service.restoreVersion(writing, id, versionNumber(version));
      const { deletedAlerts } = restored;
      const meta = deletedAlerts.length > 0 && { meta: JSON.stringify({ deletedAlerts }) };
      return { kind: 'text', json: restored.json, etag: etagOf(restored.version), ...meta };
    },
  });
}

/** 0, which no version has, for what is no number of one. */
function versionNumber(text: string): number {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 0;
}
