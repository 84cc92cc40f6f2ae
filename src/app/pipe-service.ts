import { PipeInputSchema } from '../contract/pipe-input.ts';
import { bodyCheck } from '../http/schema-check.ts';
import { PipeService, type PipeServiceDeps } from '../resources/pipes/pipe-service.ts';

const checkShape = bodyCheck(PipeInputSchema);

/** The pipes of the API, of provisioning and of the command line: one set of rules. */
export function pipeService(parts: Omit<PipeServiceDeps, 'checkShape'>): PipeService {
  return new PipeService({ ...parts, checkShape });
}
