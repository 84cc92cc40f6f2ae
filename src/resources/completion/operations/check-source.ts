import { Type } from 'typebox';
import { SourceCheckResultSchema } from '../../../contract/completion.ts';
import { type SourceInput, SourceInputSchema } from '../../../contract/source.ts';
import { type Operation, operation, type SchemaCheck } from '../../../http/operation.ts';
import type { SourceCheckService } from '../source-check-service.ts';

/** Says what POST /sources would say and what does not fit the table, and stores nothing. */
export function checkSource(checks: SourceCheckService, checkInput: SchemaCheck): Operation {
  return operation({
    id: 'checkSource',
    method: 'POST',
    path: '/sources/check',
    flavours: ['selfHosted'],
    console: true,
    summary: 'Check a source without storing it',
    tag: 'Sources',
    role: 'read',
    body: Type.Unknown(),
    documentedBody: SourceInputSchema,
    answer: { kind: 'one', schema: SourceCheckResultSchema },
    errors: ['connection_not_found', 'query_invalid', 'engine_unavailable'],
    handle: async ({ principal, body }) => {
      const problems = checkInput(body);
      if (problems.length > 0) return { kind: 'data', data: { ok: false, problems, columns: [] } };
      // `checkInput` found it to be one.
      return { kind: 'data', data: await checks.check(principal.tenantId, body as SourceInput) };
    },
  });
}
