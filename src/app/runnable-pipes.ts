import type { TenantDirectory } from '../access/tenants.ts';
import type { PipeInput } from '../contract/pipe-input.ts';
import type { Problem } from '../contract/problem.ts';
import { type Connectors, runProblems } from '../pipes/run-check.ts';
import { limitsOf } from '../pipes/run-limits.ts';
import { SourceError } from '../pipes/source-port.ts';
import type { PipeCapabilities } from '../resources/pipes/pipe-capabilities.ts';
import { databaseProblems } from './pipe-database.ts';

const askTimeoutMs = 15_000;

/** What the connectors of this program can run. */
export class RunnablePipes implements PipeCapabilities {
  readonly #connectors: Connectors;
  readonly #tenants: TenantDirectory;

  constructor(connectors: Connectors, tenants: TenantDirectory) {
    this.#connectors = connectors;
    this.#tenants = tenants;
  }

  async problemsOf(pipe: PipeInput, serviceId: string): Promise<readonly Problem[]> {
    const tenant = await this.#tenants.find(serviceId);
    return [...runProblems(this.#connectors, pipe), ...(tenant ? databaseProblems(pipe, tenant) : [])];
  }

  async ask(pipe: PipeInput, serviceId: string): Promise<string | undefined> {
    const [connector] = [...this.#connectors.values()].filter(({ kind }) => pipe.source?.[kind] !== undefined);
    try {
      const source = await connector?.open({
        pipe: { ...pipe, serviceId, generation: 0 },
        limits: limitsOf(pipe),
        ledger: { find: async () => new Map(), list: async () => [] },
        plan: async () => {},
        onLag: () => {},
        signal: AbortSignal.timeout(askTimeoutMs),
      });
      await source?.close();
      return undefined;
    } catch (error) {
      if (error instanceof SourceError) return error.message;
      throw error;
    }
  }
}
