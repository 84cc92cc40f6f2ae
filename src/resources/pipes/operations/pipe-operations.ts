import type { Operation } from '../../../http/operation.ts';
import type { PipeService } from '../pipe-service.ts';
import { getPipe } from './get-pipe.ts';
import { listPipes } from './list-pipes.ts';

/** Every operation on pipes: they can be read only. */
export function pipeOperations(pipes: PipeService): Operation[] {
  return [listPipes(pipes), getPipe(pipes)];
}
