import type { TenantDirectory } from '../access/tenants.ts';
import { namesMax, type PipeCheck } from '../contract/pipe-check.ts';
import type { PipeInput } from '../contract/pipe-input.ts';
import type { Problem } from '../contract/problem.ts';
import { dryJob } from '../pipes/dry-job.ts';
import { type Connectors, runProblems } from '../pipes/run-check.ts';
import { limitsOf } from '../pipes/run-limits.ts';
import { sampleOf } from '../pipes/sample-records.ts';
import { type Connector, SourceError } from '../pipes/source-port.ts';
import type { PipeCapabilities } from '../resources/pipes/pipe-capabilities.ts';
import type { RecordSampler, SampleAnswer } from '../resources/pipes/record-sample.ts';
import { databaseProblems } from './pipe-database.ts';

const askTimeoutMs = 15_000;
const sampleTimeoutMs = 10_000;

/** What is chosen from the names that a check lists. */
function namesWhatItReads({ source }: PipeInput): boolean {
  if (source?.kafka) return Boolean(source.kafka.topics);
  return source?.postgres === undefined || (source.postgres.tableMappings ?? []).length > 0;
}

function isLeftOpen(pipe: PipeInput, path: string): boolean {
  return !namesWhatItReads(pipe) && ['source.kafka.topics', 'source.postgres.tableMappings'].includes(path);
}

/** What the connectors of this program can run. */
export class RunnablePipes implements PipeCapabilities, RecordSampler {
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
      const definition = { ...pipe, serviceId, generation: 0 };
      const job = dryJob(definition, limitsOf(pipe), AbortSignal.timeout(askTimeoutMs));
      const source = await this.#connectorOf(pipe)?.open({ ...job, isTrial: true });
      await source?.close();
      return undefined;
    } catch (error) {
      if (error instanceof SourceError) return error.message;
      throw error;
    }
  }

  sourceProblemsOf(pipe: PipeInput): readonly Problem[] {
    return runProblems(this.#connectors, pipe).filter(
      ({ path }) => (path === 'source' || path.startsWith('source.')) && !isLeftOpen(pipe, path),
    );
  }

  async check(pipe: PipeInput, serviceId: string): Promise<PipeCheck> {
    const connector = this.#connectorOf(pipe);
    const signal = AbortSignal.timeout(askTimeoutMs);
    try {
      const names = await connector?.names?.({ ...pipe, serviceId, generation: 0 }, { max: namesMax, signal });
      const listed = names && { names: [...names] };
      const message = namesWhatItReads(pipe) ? await this.ask(pipe, serviceId) : undefined;
      return message === undefined ? { ok: true, ...listed } : { ok: false, message, ...listed };
    } catch (error) {
      if (error instanceof SourceError) return { ok: false, message: error.message };
      if (signal.aborted) return { ok: false, message: `The source did not answer within ${askTimeoutMs / 1000} s.` };
      throw error;
    }
  }

  async sample(pipe: PipeInput, serviceId: string): Promise<SampleAnswer> {
    const connector = this.#connectorOf(pipe);
    if (!connector) return { sample: undefined };
    try {
      return await sampleOf(connector, { ...pipe, serviceId, generation: 0 }, AbortSignal.timeout(sampleTimeoutMs));
    } catch (error) {
      if (error instanceof SourceError) return { problem: error.message };
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
