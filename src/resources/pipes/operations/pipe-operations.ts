import type { Operation } from '../../../http/operation.ts';
import type { PipeService } from '../pipe-service.ts';
import { getPipe } from './get-pipe.ts';

/** Every operation on pipes: reading one is all that the seed offers. */
export function pipeOperations(pipes: PipeService): Operation[] {
  return [getPipe(pipes)];
}
