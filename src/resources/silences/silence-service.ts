import { AppError } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import type { PageQuery } from '../../contract/pagination.ts';
import type { SilenceInput, SilenceRecord } from '../../contract/silence.ts';
import type { Clock } from '../../kernel/clock.ts';
import { type Ids, isHex24 } from '../../kernel/ids.ts';
import type { AlertRepository } from '../alerts/alert-repository.ts';
import { silenceProblem } from './check-silence.ts';
import type { Silence, SilenceRepository } from './silence-repository.ts';
import { presentSilence, toSilence } from './to-silence.ts';

export interface SilenceServiceDeps {
  silences: SilenceRepository;
  alerts: Pick<AlertRepository, 'find'>;
  ids: Pick<Ids, 'hex24'>;
  clock: Clock;
}

export interface SilencePage {
  silences: SilenceRecord[];
  page: { total: number; limit: number; offset: number };
}

/** Silences and maintenance windows. Every method stays within one tenant. */
export class SilenceService {
  readonly #silences: SilenceRepository;
  readonly #alerts: Pick<AlertRepository, 'find'>;
  readonly #ids: Pick<Ids, 'hex24'>;
  readonly #clock: Clock;

  constructor({ silences, alerts, ids, clock }: SilenceServiceDeps) {
    this.#silences = silences;
    this.#alerts = alerts;
    this.#ids = ids;
    this.#clock = clock;
  }

  /** In order of creation, those that are over as well. */
  async list(tenantId: string, { limit = limits.pageSize, offset = 0 }: PageQuery): Promise<SilencePage> {
    const { silences, total } = await this.#silences.list(tenantId, { limit, offset });
    return { silences: silences.map((each) => this.#present(tenantId, each)), page: { total, limit, offset } };
  }

  /** Throws `silence_not_found`, also for another tenant's id (decisions F2). */
  async get(tenantId: string, id: string): Promise<SilenceRecord> {
    return this.#present(tenantId, await this.#find(tenantId, id));
  }

  /** Throws `request_invalid` naming the field; nothing is stored then. */
  async create(tenantId: string, createdBy: string, input: SilenceInput): Promise<SilenceRecord> {
    await this.#check(tenantId, input);
    const nowMs = this.#clock.nowMs();
    const now = new Date(nowMs).toISOString();
    const silence = toSilence({ id: this.#ids.hex24(), createdBy, createdAt: now, updatedAt: now }, input, nowMs);
    await this.#silences.insert(tenantId, silence);
    return this.#present(tenantId, silence);
  }

  /** Replaces the whole record; without `startsAt` it starts now. Throws `silence_not_found`, and as `create` does. */
  async replace(tenantId: string, id: string, input: SilenceInput): Promise<SilenceRecord> {
    const before = await this.#find(tenantId, id);
    await this.#check(tenantId, input);
    const nowMs = this.#clock.nowMs();
    const silence = toSilence({ ...before, updatedAt: new Date(nowMs).toISOString() }, input, nowMs);
    if (!(await this.#silences.replace(tenantId, silence))) throw new AppError('silence_not_found');
    return this.#present(tenantId, silence);
  }

  /** Throws `silence_not_found`. */
  async remove(tenantId: string, id: string): Promise<void> {
    if (!(await this.#silences.remove(tenantId, id))) throw new AppError('silence_not_found');
  }

  async #find(tenantId: string, id: string): Promise<Silence> {
    const found = await this.#silences.find(tenantId, id);
    if (!found) throw new AppError('silence_not_found');
    return found;
  }

  /** Unknown, foreign and malformed ids of alerts look the same (decisions F2, F6). */
  async #check(tenantId: string, input: SilenceInput): Promise<void> {
    const problem = silenceProblem(input, this.#clock.nowMs());
    if (problem) throw new AppError('request_invalid', { public: problem });
    for (const [index, id] of (input.match.alertIds ?? []).entries()) {
      if (isHex24(id) && (await this.#alerts.find(tenantId, id))) continue;
      throw new AppError('request_invalid', { public: `match.alertIds.${index}: there is no alert with this id.` });
    }
  }

  #present(tenantId: string, silence: Silence): SilenceRecord {
    return presentSilence(tenantId, silence, this.#clock.nowMs());
  }
}
