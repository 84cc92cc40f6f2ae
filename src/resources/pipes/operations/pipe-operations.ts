import type { Operation } from '../../../http/operation.ts';
import type { PipeLifecycle } from '../pipe-lifecycle.ts';
import type { PipeService } from '../pipe-service.ts';
import { changePipeState } from './change-pipe-state.ts';
import { checkPipeSource } from './check-pipe-source.ts';
import { createPipe } from './create-pipe.ts';
import { deletePipe } from './delete-pipe.ts';
import { getPipe } from './get-pipe.ts';
import { getPipeStatus } from './get-pipe-status.ts';
import { listPipeStatuses } from './list-pipe-statuses.ts';
import { listPipes } from './list-pipes.ts';
import { getPipeSettings, replacePipeSettings } from './pipe-settings.ts';
import { scalePipe } from './scale-pipe.ts';
import { updatePipe } from './update-pipe.ts';

/** Every operation on pipes. */
export function pipeOperations(pipes: PipeService, lifecycle: PipeLifecycle): Operation[] {
  return [
    listPipes(pipes),
    listPipeStatuses(pipes),
    createPipe(lifecycle),
    checkPipeSource(lifecycle),
    getPipe(pipes),
    updatePipe(lifecycle),
    deletePipe(lifecycle),
    changePipeState(lifecycle),
    scalePipe(lifecycle),
    getPipeSettings(pipes),
    replacePipeSettings(lifecycle),
    getPipeStatus(lifecycle),
  ];
}
