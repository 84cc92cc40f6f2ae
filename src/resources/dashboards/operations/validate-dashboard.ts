import { Type } from 'typebox';
import { type CreateDashboard, CreateDashboardSchema, DashboardValidationSchema } from '../../../contract/dashboard.ts';
import { operation, type SchemaCheck } from '../../../http/operation.ts';
import type { Dashboard } from '../dashboard.ts';
import type { DashboardService, ValidatedDashboard } from '../dashboard-service.ts';

/**
 * Says what POST /dashboards would say, or PUT where the body has the id of a stored one, and stores nothing (decisions
 * D10).
 */
export function validateDashboard({ service, checkNew }: { service: DashboardService; checkNew: SchemaCheck }) {
  return operation({
    id: 'validateDashboard',
    method: 'POST',
    path: '/dashboards/validate',
    flavours: ['selfHosted', 'managed'],
    summary: 'Check a dashboard without storing it',
    tag: 'Dashboards',
    role: 'read',
    body: Type.Unknown(),
    documentedBody: CreateDashboardSchema,
    answer: { kind: 'one', schema: DashboardValidationSchema, bare: true },
    errors: [],
    handle: async ({ principal, body }) => {
      const errors = checkNew(body);
      if (errors.length > 0) return { kind: 'data', data: { valid: false, errors, normalized: null } };
      // `checkNew` found it to be one.
      const validated = await service.validate(principal.tenantId, body as CreateDashboard);
      return { kind: 'data', data: presentValidation(validated) };
    },
  });
}

function presentValidation({ dashboard, problems, deletedAlerts }: ValidatedDashboard): object {
  const valid = problems.length === 0;
  return {
    valid,
    errors: problems,
    normalized: valid ? withoutIds(dashboard) : null,
    ...(valid && deletedAlerts.length > 0 && { deletedAlerts }),
  };
}

/** Ids are assigned when the dashboard is stored; until then there are none. */
function withoutIds({ id: _id, tiles, filters, ...rest }: Dashboard): object {
  const bare = ({ id: _own, ...fields }: { id: string }) => fields;
  return { ...rest, tiles: tiles.map(bare), ...(filters && { filters: filters.map(bare) }) };
}
