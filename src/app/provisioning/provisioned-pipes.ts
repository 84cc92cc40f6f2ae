import type { Tenant } from '../../access/tenants.ts';
import type { PipeService } from '../../resources/pipes/pipe-service.ts';
import type { ProvisionedKind } from './provisioning-ports.ts';
import { problemAtPath } from './provisioning-problem.ts';

/** Pipes of the provisioning file, matched by id. */
export class ProvisionedPipes implements ProvisionedKind<{ id: string; name: string }> {
  readonly #pipes: PipeService;

  constructor(pipes: PipeService) {
    this.#pipes = pipes;
  }

  async apply(tenant: Tenant, entry: { id: string; name: string }): Promise<void> {
    const applied = await this.#pipes.apply(tenant.id, entry);
    if (applied.kind === 'invalid') throw problemAtPath(applied.problems[0]);
  }
}
