import { DashboardSchema } from '../../../contract/dashboard.ts';
import {
  DashboardImportPreviewSchema,
  DashboardImportRequestSchema,
  ImportMetaSchema,
} from '../../../contract/dashboard-import.ts';
import { operation } from '../../../http/operation.ts';
import { etagOf } from '../if-match.ts';
import type { DashboardImportService } from '../import/dashboard-import-service.ts';
import { writingOf } from './writing-of.ts';

/** Takes over a dashboard that another program, or another installation, exported. */
export function importDashboardOperation({ imports }: { imports: DashboardImportService }) {
  return operation({
    id: 'importDashboard',
    method: 'POST',
    path: '/dashboards/import',
    flavours: ['selfHosted', 'managed'],
    summary: 'Create a dashboard from an export of another installation, HyperDX or Grafana',
    tag: 'Dashboards',
    role: 'admin',
    body: DashboardImportRequestSchema,
    answer: { kind: 'one', schema: DashboardSchema, meta: ImportMetaSchema },
    errors: ['request_invalid'],
    handle: async ({ principal, body }) => {
      const { dashboard, version, notes } = await imports.create(writingOf({ principal }), body);
      return { kind: 'data', data: dashboard, etag: etagOf(version), ...(notes.length > 0 && { meta: { notes } }) };
    },
  });
}

/** Says what an import would store and what it would leave out, and stores nothing. */
export function previewDashboardImport({ imports }: { imports: DashboardImportService }) {
  return operation({
    id: 'previewDashboardImport',
    method: 'POST',
    path: '/dashboards/import/preview',
    flavours: ['selfHosted', 'managed'],
    summary: 'Preview an import: what it refers to, what would be stored, and what left out',
    tag: 'Dashboards',
    role: 'read',
    body: DashboardImportRequestSchema,
    answer: { kind: 'one', schema: DashboardImportPreviewSchema },
    errors: ['request_invalid'],
    handle: async ({ principal, body }) => ({ kind: 'data', data: await imports.preview(principal.tenantId, body) }),
  });
}
