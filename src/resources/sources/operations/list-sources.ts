import { SourceListMetaSchema, SourceSchema } from '../../../contract/source.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import type { MistimedRecords } from '../../../telemetry/ports.ts';
import { mistimedWarnings } from '../mistimed-warnings.ts';
import type { SourceService } from '../source-service.ts';

/** seed §Sources and webhooks: listed in both flavours; not paged (contract §5.1). */
export function listSources(sources: SourceService, mistimed: MistimedRecords): Operation {
  return operation({
    id: 'listSources',
    method: 'GET',
    path: '/sources',
    flavours: ['selfHosted', 'managed'],
    summary: 'List sources',
    tag: 'Sources',
    role: 'read',
    answer: { kind: 'list', schema: SourceSchema, meta: SourceListMetaSchema },
    errors: [],
    handle: async ({ principal: { tenantId } }) => {
      const data = await sources.list(tenantId);
      const warnings = mistimedWarnings(data, mistimed.recent(tenantId));
      return { kind: 'data', data, ...(warnings.length > 0 && { meta: { warnings } }) };
    },
  });
}
