import type { IdentityRepository } from '../../access/identity-repository.ts';
import { KeyError } from '../../access/key-service.ts';
import { OrganizationError } from '../../access/organization-service.ts';
import type { TenantTransactions } from '../../access/tenant-transactions.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Ids } from '../../kernel/ids.ts';
import type { WebhookRepository } from '../../resources/webhooks/webhook-repository.ts';
import { TeamNameTaken } from '../create-team.ts';
import { CommandError } from './command-error.ts';

/** The metadata store as commands use it, also beside a running server. */
export interface CommandStore {
  identities: IdentityRepository;
  /** For new teams and services, whose sources are made in the same transaction. */
  transactions: TenantTransactions;
  webhooks: Pick<WebhookRepository, 'list'>;
  /** Telemetry database of the first tenant (decisions S2). */
  firstDatabase: string;
  close(): Promise<void>;
}

export interface CommandDeps {
  open(): Promise<CommandStore>;
  ids: Ids;
  clock: Clock;
  /** Standard output. */
  write(text: string): void;
  /** Asks without echo on a terminal, else reads one line from standard input. */
  readPassword(prompt: string): Promise<string>;
}

/** Opens the store for one command and closes it whatever happens. @throws {CommandError} */
export async function withStore<T>(deps: CommandDeps, work: (store: CommandStore) => Promise<T>): Promise<T> {
  const store = await deps.open();
  try {
    return await work(store);
  } catch (error) {
    const known = [KeyError, OrganizationError, TeamNameTaken].some((kind) => error instanceof kind);
    if (known && error instanceof Error) throw new CommandError(error.message);
    throw error;
  } finally {
    await store.close();
  }
}

/** JSON for machines, else text for people. */
export function print(
  deps: Pick<CommandDeps, 'write'>,
  options: { json?: boolean },
  answer: { json: unknown; text: string },
): void {
  deps.write(options.json ? `${JSON.stringify(answer.json, null, 2)}\n` : answer.text);
}
