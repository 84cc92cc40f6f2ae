import type { TenantDirectory } from '../access/tenants.ts';
import { PipeInputSchema } from '../contract/pipe-input.ts';
import { bodyCheck } from '../http/schema-check.ts';
import type { Connectors } from '../pipes/run-check.ts';
import { PipeLifecycle, type PipeLifecycleDeps } from '../resources/pipes/pipe-lifecycle.ts';
import { PipeService, type PipeServiceDeps } from '../resources/pipes/pipe-service.ts';
import { RunnablePipes } from './runnable-pipes.ts';

const checkShape = bodyCheck(PipeInputSchema);

/** The pipes of the API, of provisioning and of the command line: one set of rules. */
export function pipeService(parts: Omit<PipeServiceDeps, 'checkShape'>): PipeService {
  return new PipeService({ ...parts, checkShape });
}

type LifecycleParts = Omit<PipeLifecycleDeps, 'checkShape' | 'capabilities'>;

/** What clients of the API do with pipes; only pipes that the connectors can run are accepted. */
export function pipeLifecycle({
  connectors,
  tenants,
  ...parts
}: LifecycleParts & { connectors: Connectors; tenants: TenantDirectory }): PipeLifecycle {
  return new PipeLifecycle({ ...parts, checkShape, capabilities: new RunnablePipes(connectors, tenants) });
}
