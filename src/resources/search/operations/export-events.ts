import { exportLimitHeader, exportRowsMax } from '../../../contract/export-format.ts';
import { SearchExportRequestSchema } from '../../../contract/search-export.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import type { SearchExportService } from '../search-export-service.ts';

const mediaTypes = { csv: 'text/csv; charset=utf-8; header=present', ndjson: 'application/x-ndjson; charset=utf-8' };

/** An extension beside `POST /search`, offered where that one is. */
export function exportEvents(exports: SearchExportService): Operation {
  return operation({
    id: 'exportEvents',
    method: 'POST',
    path: '/search/export',
    flavours: ['selfHosted'],
    console: true,
    summary: `Export up to ${exportRowsMax.toLocaleString('en-US')} events of a log or trace source as CSV or NDJSON`,
    tag: 'Search',
    role: 'read',
    body: SearchExportRequestSchema,
    bodyInvalid: 'query_invalid',
    answer: {
      kind: 'file',
      mediaTypes: ['text/csv', 'application/x-ndjson'],
      headers: { [exportLimitHeader]: 'Rows that the file holds at most; with as many, there may be more events.' },
    },
    errors: ['query_invalid', 'source_not_found', 'connection_not_found', 'engine_unavailable', 'query_timeout'],
    handle: async ({ principal, body, signal }) => {
      const { fileName, limit, parts } = await exports.export(principal.tenantId, body, signal);
      const headers = { [exportLimitHeader]: String(limit) };
      return { kind: 'file', mediaType: mediaTypes[body.format], fileName, headers, parts };
    },
  });
}
