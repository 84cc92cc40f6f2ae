import type { SecretBox } from '../../access/secret-box.ts';
import { AppError } from '../../contract/errors.ts';
import type { PipeCheck } from '../../contract/pipe-check.ts';
import type { PipeInput } from '../../contract/pipe-input.ts';
import type { SchemaCheck } from '../../http/operation.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Ids } from '../../kernel/ids.ts';
import type { Logger } from '../../kernel/logger.ts';
import { invalid, reject } from './body-problems.ts';
import { checkPipe } from './check-pipe.ts';
import { isRecord, withoutNulls } from './merge-patch.ts';
import type { PipeFields, StoredPipe } from './pipe.ts';
import type { PipeCapabilities } from './pipe-capabilities.ts';
import { familyOf } from './pipe-family.ts';
import type { PipeRepository } from './pipe-repository.ts';
import type { PipeChange } from './pipe-run.ts';
import type { PipeRuns } from './pipe-runs.ts';
import { openPipeSecrets, sealPipeSecrets, splitSecrets, withSecrets } from './pipe-secrets.ts';
import { type PipeCommand, statesFor } from './pipe-transitions.ts';
import {
  inOurWords,
  newPipe,
  newPipeProblems,
  patchedPipe,
  patchProblems,
  type WrittenPipe,
  writtenPipe,
} from './written-pipe.ts';

export interface PipeLifecycleDeps {
  pipes: PipeRepository;
  runs: PipeRuns;
  capabilities: PipeCapabilities;
  secrets: SecretBox;
  /** Validates by `PipeInputSchema`. */
  checkShape: SchemaCheck;
  ids: Ids;
  clock: Clock;
  logger: Logger;
}

/** Of one service. */
const pipesMax = 500;

/** What clients do with pipes that run. Every method stays within one service; ids may be in any case. */
export class PipeLifecycle {
  readonly #deps: PipeLifecycleDeps;

  constructor(deps: PipeLifecycleDeps) {
    this.#deps = deps;
  }

  /** The new pipe is provisioned by a process with the role `pipes`. Throws `request_invalid`, also for what cannot run. */
  async create(serviceId: string, body: unknown): Promise<StoredPipe> {
    const { pipes, ids } = this.#deps;
    const written = readBody(body);
    const id = ids.uuid();
    reject(newPipeProblems(written));
    const input = await this.#check(serviceId, { ...newPipe(written), id }, written);
    if ((await pipes.list(serviceId)).length >= pipesMax) {
      throw new AppError('request_invalid', {
        public: `A service can have at most ${pipesMax} pipes; delete one first.`,
      });
    }
    const now = this.#nowAfter(undefined);
    const pipe = this.#sealed({ id, createdAt: now, updatedAt: now }, input);
    if ((await pipes.insert(serviceId, pipe)) === 'idTaken') throw new AppError('conflict');
    return pipe;
  }

  /** Looks at a source before a pipe is made of it; nothing is stored. Throws `request_invalid`. */
  async check(serviceId: string, body: unknown): Promise<PipeCheck> {
    return this.#deps.capabilities.check(this.readableSource(body), serviceId);
  }

  /** A pipe whose source can be looked at; the rest of it may be absent. Throws `request_invalid`. */
  readableSource(body: unknown): PipeInput {
    const { checkShape, capabilities, ids } = this.#deps;
    const entry = { name: 'check', ...newPipe(readBody(body)), id: ids.uuid() };
    const { pipe, problems } = checkPipe(checkShape, entry);
    if (problems) throw invalid(problems);
    reject(capabilities.sourceProblemsOf(pipe));
    return pipe;
  }

  /** Changes fields; a pipe that runs continues with them. Throws `pipe_not_found`, `request_invalid`. */
  async patch(serviceId: string, id: string, body: unknown): Promise<StoredPipe> {
    const written = readBody(body);
    const stored = await this.#get(serviceId, id);
    reject(patchProblems(stored.fields, written));
    return this.#rewrite(serviceId, stored, patchedPipe(this.#opened(stored), written), written);
  }

  /**
   * The pipe stops, and what it made at its source is removed; where the source cannot be reached, its owner has to do
   * that. Throws `pipe_not_found`.
   */
  async remove(serviceId: string, id: string): Promise<void> {
    const { pipes, capabilities, checkShape, logger } = this.#deps;
    const stored = await this.#get(serviceId, id);
    if ((await pipes.remove(serviceId, stored.id)) === 'missing') throw new AppError('pipe_not_found');
    const { pipe } = checkPipe(checkShape, { ...this.#openedOrNot(stored), id: stored.id });
    const failure = pipe && (await capabilities.release(pipe, serviceId));
    if (failure !== undefined) {
      logger.warn({ pipeId: stored.id, reason: failure }, 'what a pipe made at its source could not be removed');
    }
  }

  async scale(serviceId: string, id: string, body: unknown): Promise<StoredPipe> {
    return this.patch(serviceId, id, { scaling: isRecord(body) ? withoutNulls(body) : body });
  }

  /** Replaces the settings as a whole. */
  async replaceSettings(serviceId: string, id: string, body: unknown): Promise<StoredPipe> {
    const stored = await this.#get(serviceId, id);
    const settings = isRecord(body) ? withoutNulls(inOurWords(body)) : body;
    const record = { ...asRecord(this.#opened(stored)), settings };
    return this.#rewrite(serviceId, stored, record, { fields: {}, asksSource: false });
  }

  /** Throws `pipe_not_found`; `conflict` with the states from which the command is possible. */
  async command(serviceId: string, id: string, command: PipeCommand): Promise<StoredPipe> {
    const { runs, clock } = this.#deps;
    const stored = await this.#get(serviceId, id);
    const family = familyOf(stored.fields);
    const order = { serviceId, pipeId: stored.id, family, given: stored.fields.state, nowMs: clock.nowMs() };
    const outcome = await runs.command({ ...order, command });
    if (outcome.kind === 'done') return { ...stored, run: outcome.run };
    const possible = statesFor(family, command);
    const when =
      possible.length === 0 ? 'this kind of source has no such command' : `it is possible in ${possible.join(', ')}`;
    throw new AppError('conflict', { public: `The pipe is ${outcome.state}, so it cannot ${command}; ${when}.` });
  }

  /** The pipe, and the latest changes of its state, newest first. Throws `pipe_not_found`. */
  async status(serviceId: string, id: string): Promise<{ pipe: StoredPipe; changes: PipeChange[] }> {
    const pipe = await this.#get(serviceId, id);
    return { pipe, changes: await this.#deps.runs.history(serviceId, pipe.id) };
  }

  async #rewrite(serviceId: string, stored: StoredPipe, record: unknown, written: WrittenPipe): Promise<StoredPipe> {
    const { id, createdAt, run } = stored;
    const input = await this.#check(serviceId, { ...asRecord(record), id }, written);
    const pipe = this.#sealed({ id, createdAt, updatedAt: this.#nowAfter(stored.updatedAt) }, input);
    if ((await this.#deps.pipes.replace(serviceId, pipe)) === 'missing') throw new AppError('pipe_not_found');
    return { ...pipe, ...(run && { run }) };
  }

  async #check(serviceId: string, entry: unknown, { asksSource }: WrittenPipe): Promise<PipeInput> {
    const { checkShape, capabilities } = this.#deps;
    const { pipe, problems } = checkPipe(checkShape, entry);
    if (problems) throw invalid(problems);
    reject(await capabilities.problemsOf(pipe, serviceId));
    const failure = asksSource ? await capabilities.ask(pipe, serviceId) : undefined;
    if (failure !== undefined) throw new AppError('request_invalid', { public: `source: ${failure}` });
    return pipe;
  }

  async #get(serviceId: string, id: string): Promise<StoredPipe> {
    const pipe = await this.#deps.pipes.find(serviceId, id.toLowerCase());
    if (!pipe) throw new AppError('pipe_not_found');
    return pipe;
  }

  /** With its secrets, so that a patch may leave them as they are. */
  #opened(stored: StoredPipe): PipeFields {
    try {
      return withSecrets(stored.fields, openPipeSecrets(this.#deps.secrets, stored));
    } catch {
      const text = 'The secrets of the pipe cannot be read with the present secret key; delete it and create it again.';
      throw new AppError('conflict', { public: text });
    }
  }

  #openedOrNot(stored: StoredPipe): PipeFields {
    try {
      return this.#opened(stored);
    } catch {
      return stored.fields;
    }
  }

  #sealed(identity: Pick<StoredPipe, 'id' | 'createdAt' | 'updatedAt'>, input: PipeInput): StoredPipe {
    const { fields, secrets } = splitSecrets(input);
    const sealedSecrets = sealPipeSecrets(this.#deps.secrets, identity.id, secrets);
    return { ...identity, fields, ...(sealedSecrets !== undefined && { sealedSecrets }) };
  }

  /** Later than `before`, so that the process that runs the pipe notices each edit. */
  #nowAfter(before: string | undefined): string {
    const nowMs = this.#deps.clock.nowMs();
    const earliestMs = before === undefined ? nowMs : Date.parse(before) + 1;
    return new Date(Math.max(nowMs, earliestMs)).toISOString();
  }
}

function readBody(body: unknown): WrittenPipe {
  const written = writtenPipe(body);
  if (written) return written;
  throw invalid([{ path: '', message: 'must be a JSON object' }]);
}

function asRecord(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}
