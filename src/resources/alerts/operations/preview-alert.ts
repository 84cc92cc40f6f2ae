import { AlertPreviewBodySchema, AlertPreviewMetaSchema, AlertPreviewSchema } from '../../../contract/alert-preview.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import type { AlertPreviewService } from '../alert-preview-service.ts';
import { presentAlertPreview } from '../present-alert-preview.ts';

/** What a rule, or two of them, would have done over a past range. Writes nothing. */
export function previewAlert(previews: AlertPreviewService): Operation {
  return operation({
    id: 'previewAlert',
    method: 'POST',
    path: '/alerts/preview',
    flavours: ['selfHosted', 'managed'],
    summary: 'Preview an alert over a past range',
    tag: 'Alerts',
    role: 'read',
    body: AlertPreviewBodySchema,
    answer: { kind: 'one', schema: AlertPreviewSchema, meta: AlertPreviewMetaSchema },
    errors: ['request_invalid', 'query_invalid', 'source_not_found', 'engine_unavailable', 'query_timeout'],
    handle: async ({ principal, body, signal }) => {
      const preview = await previews.preview(principal.tenantId, body, signal);
      return { kind: 'data', data: presentAlertPreview(preview), meta: preview.meta };
    },
  });
}
