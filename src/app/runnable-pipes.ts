import type { TenantDirectory } from '../access/tenants.ts';
import type { PipeInput } from '../contract/pipe-input.ts';
import type { Problem } from '../contract/problem.ts';
import { type Connectors, runProblems } from '../pipes/run-check.ts';
import { limitsOf } from '../pipes/run-limits.ts';
import { type Connector, SourceError } from '../pipes/source-port.ts';
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
    try {
      const source = await this.#connectorOf(pipe)?.open({
        pipe: { ...pipe, serviceId, generation: 0 },
        limits: limitsOf(pipe),
        ledger: { find: async () => new Map(), list: async () => [] },
        plan: async () => {},
        onLag: () => {},
        onLagBytes: () => {},
        signal: AbortSignal.timeout(askTimeoutMs),
      });
      await source?.close();
      return undefined;
    } catch (error) {
      if (error instanceof SourceError) return error.message;
      throw error;
    }
  }

  async release(pipe: PipeInput, serviceId: string): Promise<string | undefined> {
    try {
      await this.#connectorOf(pipe)?.remove?.({ ...pipe, serviceId, generation: 0 });
      return undefined;
    } catch (error) {
      if (error instanceof SourceError) return error.message;
      throw error;
    }
  }

  #connectorOf(pipe: PipeInput): Connector | undefined {
    return [...this.#connectors.values()].find(({ kind }) => pipe.source?.[kind] !== undefined);
  }
}
