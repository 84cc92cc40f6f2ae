import { DashboardSchema } from '../../../contract/dashboard.ts';
import { PageQuerySchema } from '../../../contract/pagination.ts';
import { operation } from '../../../http/operation.ts';
import type { DashboardRepository } from '../dashboard-repository.ts';

/** All dashboards of the tenant by creation, unparsed: one that cannot be read does not hide the others. */
export function listDashboards({ dashboards }: { dashboards: DashboardRepository }) {
  return operation({
    id: 'listDashboards',
    method: 'GET',
    path: '/dashboards',
    flavours: ['selfHosted', 'managed'],
    summary: 'List dashboards',
    tag: 'Dashboards',
    role: 'read',
    query: PageQuerySchema,
    answer: { kind: 'list', schema: DashboardSchema },
    errors: ['request_invalid'],
    handle: async ({ principal, query }) => {
      const parts = dashboards.textParts(principal.tenantId, query);
      // Read before the answer begins: a store that is away is a failure with a status.
      const first = await parts.next();
      const second = await parts.next();
      const json = `[${first.value?.join(',') ?? ''}`;
      if (second.done) return { kind: 'text', json: `${json}]` };
      return { kind: 'text', json, rest: following(second.value, parts) };
    },
  });
}

async function* following(next: string[], parts: AsyncIterable<string[]>): AsyncGenerator<string> {
  yield `,${next.join(',')}`;
  for await (const texts of parts) yield `,${texts.join(',')}`;
  yield ']';
}
