import type { IdentityStore } from '../../access/identity-repository.ts';
import type { PipeLifecycle } from '../../resources/pipes/pipe-lifecycle.ts';
import type { PipeService } from '../../resources/pipes/pipe-service.ts';
import { ProvisioningError } from '../provisioning/provisioning-problem.ts';
import type { EnvLookup } from '../provisioning/resolve-env.ts';
import { CommandError } from './command-error.ts';
import { findService } from './find-service.ts';

/** How commands see pipes that run; a process with the role `pipes` follows within a second. */
export type CommandedPipes = Pick<PipeLifecycle, 'command' | 'status' | 'check'>;

/** Pipes as commands use them, also beside a running server. */
export interface PipeStore {
  identities: IdentityStore;
  pipes: PipeService;
  lifecycle: CommandedPipes;
  /** Commits when `work` resolves, rolls everything back when it throws. */
  transaction<T>(work: (pipes: PipeService) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface PipeCommandDeps {
  open(): Promise<PipeStore>;
  /** Standard output. */
  write(text: string): void;
  /** Values for `{env: NAME}` in the file. */
  lookupEnv: EnvLookup;
}

export interface PipeOptions {
  service?: string;
  json?: boolean;
}

/** Opens the store for one command and closes it whatever happens. @throws {CommandError} */
export async function withPipes(
  deps: PipeCommandDeps,
  { service }: PipeOptions,
  work: (store: PipeStore, serviceId: string) => Promise<void>,
): Promise<void> {
  const store = await deps.open();
  try {
    await work(store, (await findService(store.identities, service)).id);
  } catch (error) {
    if (error instanceof ProvisioningError) throw new CommandError(error.message);
    throw error;
  } finally {
    await store.close();
  }
}
