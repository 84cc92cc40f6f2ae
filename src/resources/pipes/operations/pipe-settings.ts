import { PipeSettingsSchema } from '../../../contract/pipe.ts';
import { PipeSettingsInputSchema } from '../../../contract/pipe-input.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import type { StoredPipe } from '../pipe.ts';
import type { PipeLifecycle } from '../pipe-lifecycle.ts';
import type { PipeService } from '../pipe-service.ts';

/** Only the settings that are set. */
export function getPipeSettings(pipes: PipeService): Operation {
  return operation({
    id: 'getPipeSettings',
    method: 'GET',
    path: '/pipes/:pipeId/settings',
    flavours: ['managed'],
    summary: 'Get the settings of a pipe',
    tag: 'Pipes',
    role: 'read',
    beta: true,
    uuidParams: ['pipeId'],
    answer: { kind: 'one', schema: PipeSettingsSchema },
    errors: ['request_invalid', 'forbidden', 'pipe_not_found'],
    handle: async ({ principal: { tenantId }, params }) => ({
      kind: 'data',
      data: settingsOf(await pipes.get(tenantId, params.pipeId ?? '')),
    }),
  });
}

/** Replaces the settings as a whole. */
export function replacePipeSettings(lifecycle: PipeLifecycle): Operation {
  return operation({
    id: 'replacePipeSettings',
    method: 'PUT',
    path: '/pipes/:pipeId/settings',
    flavours: ['managed'],
    summary: 'Replace the settings of a pipe',
    tag: 'Pipes',
    role: 'admin',
    beta: true,
    uuidParams: ['pipeId'],
    documentedBody: PipeSettingsInputSchema,
    answer: { kind: 'one', schema: PipeSettingsSchema },
    errors: ['request_invalid', 'forbidden', 'pipe_not_found', 'conflict'],
    handle: async ({ principal: { tenantId }, params, body }) => ({
      kind: 'data',
      data: settingsOf(await lifecycle.replaceSettings(tenantId, params.pipeId ?? '', body)),
    }),
  });
}

function settingsOf({ fields: { settings } }: StoredPipe): object {
  return typeof settings === 'object' && settings !== null ? settings : {};
}
