import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { KeyLookup } from '../../access/key-lookup.ts';
import { FakeClock } from '../../kernel/fake-clock.ts';
import { randomIds as ids } from '../../kernel/ids.ts';
import { silentLogger } from '../../kernel/logger.ts';
import { type MetadataStore, openMetadata } from '../../metadata/open-metadata.ts';
import { identityTransactions } from '../identity-transactions.ts';
import type { CommandStore } from './command-deps.ts';
import { registerIdentityCommands } from './identity-commands.ts';

/** Each command opens the store itself while another connection stays open, as beside a running server. */
export class CommandWorld {
  readonly clock = new FakeClock();
  readonly #folder = mkdtempSync(join(tmpdir(), 'signalbox-commands-'));
  #server: MetadataStore | undefined;
  /** Stores that a command has opened and not closed. */
  opened = 0;

  async start(): Promise<void> {
    this.#server = await this.#openStore();
  }

  async stop(): Promise<void> {
    await this.#server?.close();
    rmSync(this.#folder, { recursive: true });
  }

  /** The store as the running server sees it. */
  get server(): MetadataStore {
    if (!this.#server) throw new Error('the store is open only while tests run');
    return this.#server;
  }

  /** Keys as the running server finds them. */
  lookup(): KeyLookup {
    return new KeyLookup({
      keys: this.server.identities,
      clock: this.clock,
      logger: silentLogger,
    });
  }

  /** Runs a command; answers what it printed. */
  async run(...argv: string[]): Promise<string> {
    let printed = '';
    const program = new Command().exitOverride().configureOutput({ writeErr: () => {} });
    registerIdentityCommands(program, {
      open: () => this.#openForCommand(),
      ids,
      clock: this.clock,
      write: (text) => {
        printed += text;
      },
      readPassword: async () => 'correct-horse-battery',
    });
    await program.parseAsync(argv, { from: 'user' });
    return printed;
  }

  async json(...argv: string[]) {
    return JSON.parse(await this.run(...argv, '--json'));
  }

  #openStore(): Promise<MetadataStore> {
    const location = { kind: 'embedded', file: join(this.#folder, 'metadata.db') } as const;
    return openMetadata({ location, clock: this.clock, logger: silentLogger, watchTransactions: true });
  }

  async #openForCommand(): Promise<CommandStore> {
    const metadata = await this.#openStore();
    this.opened++;
    const close = async (): Promise<void> => {
      this.opened--;
      await metadata.close();
    };
    const transactions = identityTransactions({ metadata, ids, clock: this.clock });
    return { identities: metadata.identities, webhooks: metadata.webhooks, transactions, firstDatabase: 'otel', close };
  }
}
