import { CreateDashboardSchema, DashboardSchema } from '../../../contract/dashboard.ts';
import { operation } from '../../../http/operation.ts';
import type { DashboardService } from '../dashboard-service.ts';
import { etagOf } from '../if-match.ts';
import { writingOf } from './writing-of.ts';

export function createDashboard({ service }: { service: DashboardService }) {
  return operation({
    id: 'createDashboard',
    method: 'POST',
    path: '/dashboards',
    flavours: ['selfHosted', 'managed'],
    summary: 'Create a dashboard',
    tag: 'Dashboards',
    role: 'admin',
    body: CreateDashboardSchema,
    bodyInvalid: 'dashboard_invalid',
    answer: { kind: 'one', schema: DashboardSchema },
    errors: ['dashboard_invalid'],
    handle: async ({ principal, body }) => {
      const { dashboard, version } = await service.create(writingOf({ principal }), body);
      return { kind: 'data', data: dashboard, etag: etagOf(version) };
    },
  });
}
