import { isDeepStrictEqual } from 'node:util';
import type { SecretBox } from '../../access/secret-box.ts';
import { AppError } from '../../contract/errors.ts';
import type { SchemaCheck } from '../../http/operation.ts';
import type { Clock } from '../../kernel/clock.ts';
import { checkPipe, type Problems } from './check-pipe.ts';
import type { StoredPipe } from './pipe.ts';
import { familyOf } from './pipe-family.ts';
import type { PipeRepository } from './pipe-repository.ts';
import type { PipeRuns } from './pipe-runs.ts';
import { openPipeSecrets, type SplitPipe, sealPipeSecrets, splitSecrets } from './pipe-secrets.ts';

export interface PipeServiceDeps {
  pipes: PipeRepository;
  runs: Pick<PipeRuns, 'restate'>;
  secrets: SecretBox;
  /** Validates by `PipeInputSchema`. */
  checkShape: SchemaCheck;
  clock: Clock;
}

export type PipeApplied =
  | { kind: 'created' | 'changed' | 'unchanged'; pipe: StoredPipe }
  | { kind: 'invalid'; problems: Problems };

/** The rules of pipes (decisions P1-P4). Every method stays within one service; ids may be in any case. */
export class PipeService {
  readonly #pipes: PipeRepository;
  readonly #runs: Pick<PipeRuns, 'restate'>;
  readonly #secrets: SecretBox;
  readonly #checkShape: SchemaCheck;
  readonly #clock: Clock;

  constructor({ pipes, runs, secrets, checkShape, clock }: PipeServiceDeps) {
    this.#pipes = pipes;
    this.#runs = runs;
    this.#secrets = secrets;
    this.#checkShape = checkShape;
    this.#clock = clock;
  }

  /** In order of creation. */
  list(serviceId: string): Promise<StoredPipe[]> {
    return this.#pipes.list(serviceId);
  }

  /** Throws `pipe_not_found`, also for another service's pipe (decisions F2, P4). */
  async get(serviceId: string, id: string): Promise<StoredPipe> {
    const pipe = await this.#pipes.find(serviceId, id.toLowerCase());
    if (!pipe) throw new AppError('pipe_not_found');
    return pipe;
  }

  /** Throws `pipe_not_found`. */
  async remove(serviceId: string, id: string): Promise<void> {
    if ((await this.#pipes.remove(serviceId, id.toLowerCase())) === 'missing') throw new AppError('pipe_not_found');
  }

  /**
   * Makes the pipe with the entry's id, or resets it to the entry: what the entry leaves out is gone, secrets included.
   * A state that differs from the stored record's is a new beginning; the state that a pipe has reached is left alone.
   * `createdAt` stays; `updatedAt` moves only when something changed. Nothing is written when the entry is invalid.
   */
  async apply(serviceId: string, entry: unknown): Promise<PipeApplied> {
    const { pipe: input, problems } = checkPipe(this.#checkShape, entry);
    if (problems) return { kind: 'invalid', problems };
    if (input.serviceId !== undefined && input.serviceId.toLowerCase() !== serviceId) {
      return invalid('serviceId', 'must be the service that the pipe belongs to, or be omitted');
    }
    const id = input.id.toLowerCase();
    const stored = await this.#pipes.find(serviceId, id);
    const wanted = splitSecrets(input);
    return stored ? this.#reset(serviceId, stored, wanted) : this.#create(serviceId, id, wanted);
  }

  async #create(serviceId: string, id: string, wanted: SplitPipe): Promise<PipeApplied> {
    const now = this.#now();
    const pipe = this.#toStored({ id, createdAt: now, updatedAt: now }, wanted);
    const outcome = await this.#pipes.insert(serviceId, pipe);
    if (outcome === 'idTaken') return invalid('id', 'another service has a pipe with this id');
    return { kind: 'created', pipe };
  }

  async #reset(serviceId: string, stored: StoredPipe, wanted: SplitPipe): Promise<PipeApplied> {
    if (this.#isAsWanted(stored, wanted)) return { kind: 'unchanged', pipe: stored };
    const { id, createdAt } = stored;
    const pipe = this.#toStored({ id, createdAt, updatedAt: this.#now() }, wanted);
    const outcome = await this.#pipes.replace(serviceId, pipe);
    if (outcome === 'missing') return invalid('id', 'the pipe was removed at the same time; try again');
    if (stored.fields.state !== pipe.fields.state) {
      const order = { serviceId, pipeId: id, family: familyOf(pipe.fields), nowMs: this.#clock.nowMs() };
      await this.#runs.restate({ ...order, given: pipe.fields.state });
    }
    return { kind: 'changed', pipe: (await this.#pipes.find(serviceId, id)) ?? pipe };
  }

  #isAsWanted(stored: StoredPipe, { fields, secrets }: SplitPipe): boolean {
    return isDeepStrictEqual(stored.fields, fields) && isDeepStrictEqual(this.#secretsOf(stored), secrets);
  }

  /** `undefined` when they were sealed with another key: the ones that are written take their place. */
  #secretsOf(stored: StoredPipe): unknown {
    try {
      return openPipeSecrets(this.#secrets, stored);
    } catch {
      return undefined;
    }
  }

  #toStored(identity: Pick<StoredPipe, 'id' | 'createdAt' | 'updatedAt'>, { fields, secrets }: SplitPipe): StoredPipe {
    const sealedSecrets = sealPipeSecrets(this.#secrets, identity.id, secrets);
    return { ...identity, fields, ...(sealedSecrets !== undefined && { sealedSecrets }) };
  }

  #now(): string {
    return new Date(this.#clock.nowMs()).toISOString();
  }
}

function invalid(path: string, message: string): PipeApplied {
  return { kind: 'invalid', problems: [{ path, message }] };
}
