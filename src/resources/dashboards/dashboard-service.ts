import { isDeepStrictEqual } from 'node:util';
import type { CreateDashboard, UpdateDashboard } from '../../contract/dashboard.ts';
import { AppError } from '../../contract/errors.ts';
import { type Problem, problemsText } from '../../contract/problem.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Ids } from '../../kernel/ids.ts';
import { changeText } from './change-text.ts';
import { changedTiles, checkDashboard, checkSentIds } from './check-dashboard.ts';
import { checkReferences, type KnownObjects, type Reference, referencesOf } from './check-references.ts';
import { checkStatements } from './check-statements.ts';
import { changedDashboard, newDashboard } from './compose-dashboard.ts';
import type { Dashboard } from './dashboard.ts';
import type { DashboardVersion, UndeletedDashboard } from './dashboard-history.ts';
import type { DashboardRepository, DashboardSave, StoredDashboard } from './dashboard-repository.ts';
import { meetsPrecondition } from './if-match.ts';
import type { SourceLookup } from './source-lookup.ts';
import type { StatementCheck } from './statement-check.ts';
import { tilesLosingAlerts } from './tile-alerts.ts';

export interface DashboardServiceDeps {
  dashboards: DashboardRepository;
  sources: SourceLookup;
  statements: StatementCheck;
  ids: Ids;
  clock: Clock;
}

/** Whose dashboards are written, by whose hand, and over which version. */
export interface Writing {
  tenantId: string;
  /** Id of the user, or of the key if it belongs to no user; or a word for what is no person (`provisioning`). */
  by: string;
  ifMatch?: string | undefined;
}

/** A stored dashboard as JSON text: what is only passed on is not parsed. */
export interface DashboardText {
  json: string;
  version: number;
}

export interface UpdatedDashboard extends DashboardText {
  /** Of tiles that vanished, or turned into a kind that no alert can watch (decisions D9). */
  deletedAlerts: string[];
}

export interface ValidatedDashboard {
  dashboard: Dashboard;
  problems: readonly Problem[];
  /** What the update would delete (decisions D9). */
  deletedAlerts: readonly string[];
}

/** One version as it was, and what putting it back would delete. */
export interface PastDashboard extends DashboardVersion {
  dashboard: Dashboard;
  deletedAlerts: string[];
}

/** Lost races in a row before a write fails; each of them means that another write succeeded. */
const attemptsMax = 100;

/** Writes of dashboards: everything is checked before anything is written (decisions D1). */
export class DashboardService {
  readonly #dashboards: DashboardRepository;
  readonly #sources: SourceLookup;
  readonly #statements: StatementCheck;
  readonly #newId: () => string;
  readonly #clock: Clock;

  constructor({ dashboards, sources, statements, ids, clock }: DashboardServiceDeps) {
    this.#dashboards = dashboards;
    this.#sources = sources;
    this.#statements = statements;
    this.#newId = () => ids.hex24();
    this.#clock = clock;
  }

  /** Stores a new dashboard. Throws `dashboard_invalid`. */
  async create({ tenantId, by }: Writing, input: CreateDashboard): Promise<StoredDashboard> {
    const { dashboard, problems } = await this.validateNew(tenantId, input);
    rejectInvalid(problems);
    const change = { atMs: this.#clock.nowMs(), by, summary: 'Created' };
    await this.#dashboards.transaction((transaction) => transaction.insert(tenantId, dashboard, change));
    return { dashboard, version: 1 };
  }

  /**
   * What a write would store and what it would object to; stores nothing (decisions D10). A body with the id of a stored
   * dashboard, as GET returns it, is validated as the update that it would be, any other as a new one.
   */
  async validate(tenantId: string, body: CreateDashboard & { id?: unknown }): Promise<ValidatedDashboard> {
    const stored = typeof body.id === 'string' ? await this.#dashboards.find(tenantId, body.id) : undefined;
    if (!stored) return this.validateNew(tenantId, body);
    const before = stored.dashboard;
    const dashboard = changedDashboard(before, body, this.#newId);
    const problems = [...checkSentIds(body, false), ...(await this.#check(tenantId, before, dashboard))];
    const losing = tilesLosingAlerts(before, dashboard);
    const deletedAlerts = losing.length > 0 ? await this.#dashboards.alertsOn(tenantId, before.id, losing) : [];
    return { dashboard, problems, deletedAlerts };
  }

  /** What `create` would store and what it would object to. */
  async validateNew(tenantId: string, input: CreateDashboard): Promise<ValidatedDashboard> {
    const dashboard = newDashboard(input, this.#newId);
    const problems = [...checkSentIds(input, true), ...(await this.#check(tenantId, undefined, dashboard))];
    return { dashboard, problems, deletedAlerts: [] };
  }

  /**
   * Changes what `patch` holds. Without `ifMatch` a lost race is repeated on top of the winner, so that writes never
   * mix; with a stale `ifMatch` it throws `precondition_failed` (decisions D8). Also throws `dashboard_not_found` and
   * `dashboard_invalid`.
   */
  update(writing: Writing, id: string, patch: UpdateDashboard): Promise<UpdatedDashboard> {
    const changed = async (before: Dashboard) => {
      const after = changedDashboard(before, patch, this.#newId);
      rejectInvalid([...checkSentIds(patch, false), ...(await this.#check(writing.tenantId, before, after))]);
      return after;
    };
    return this.#change(writing, id, changed, changeText);
  }

  /**
   * Makes a past version the next one, as it was: it was checked when it was saved. Alerts of tiles that it does not have
   * are deleted, as by any save. Throws as `update` does, and `dashboard_version_not_found`.
   */
  restoreVersion(writing: Writing, id: string, version: number): Promise<UpdatedDashboard> {
    const past = async (): Promise<Dashboard> =>
      JSON.parse((await this.#pastVersion(writing.tenantId, id, version)).json);
    return this.#change(writing, id, past, () => `Version ${version} restored`);
  }

  /** Throws `dashboard_not_found`, `dashboard_version_not_found`. */
  async version(tenantId: string, id: string, version: number): Promise<PastDashboard> {
    const stored = await this.#dashboards.find(tenantId, id);
    if (!stored) throw new AppError('dashboard_not_found');
    const { json, ...rest } = await this.#pastVersion(tenantId, id, version);
    const dashboard: Dashboard = JSON.parse(json);
    const losing = tilesLosingAlerts(stored.dashboard, dashboard);
    return { ...rest, dashboard, deletedAlerts: await this.#dashboards.alertsOn(tenantId, id, losing) };
  }

  async #pastVersion(tenantId: string, id: string, version: number): Promise<DashboardVersion & { json: string }> {
    const past = await this.#dashboards.version(tenantId, id, version);
    if (!past) throw new AppError('dashboard_version_not_found');
    return past;
  }

  async #change(
    { tenantId, by, ifMatch }: Writing,
    id: string,
    changed: (before: Dashboard) => Promise<Dashboard>,
    summaryOf: (before: Dashboard, after: Dashboard) => string,
  ): Promise<UpdatedDashboard> {
    for (let attempt = 0; attempt < attemptsMax; attempt++) {
      const current = found(await this.#dashboards.findText(tenantId, id), ifMatch);
      const before: Dashboard = JSON.parse(current.json);
      const after = await changed(before);
      // Made once: compared, stored and answered.
      const json = JSON.stringify(after);
      if (isSame({ dashboard: before, json: current.json }, { dashboard: after, json })) {
        return { ...current, deletedAlerts: [] };
      }
      const change = { atMs: this.#clock.nowMs(), by, summary: summaryOf(before, after) };
      const save = { dashboard: after, json, expectedVersion: current.version, change };
      const deletedAlerts = await this.#save(tenantId, before, save);
      if (deletedAlerts) return { json, version: current.version + 1, deletedAlerts };
    }
    throw new AppError('conflict', { internal: `update of dashboard ${id} lost ${attemptsMax} races` });
  }

  /**
   * Removes a dashboard and its alerts, whose ids it answers; `undelete` brings them back. Throws `dashboard_not_found`,
   * `precondition_failed`.
   */
  async remove({ tenantId, by, ifMatch }: Writing, id: string): Promise<string[]> {
    const deletion = { atMs: this.#clock.nowMs(), by };
    return this.#dashboards.transaction(async (transaction) => {
      const stored = found(await transaction.find(tenantId, id), ifMatch);
      // The dashboard first: creating an alert locks it, so that write either waits for us or is seen by `removeAlerts`.
      if (!(await transaction.remove(tenantId, id, deletion))) throw new AppError('dashboard_not_found');
      return transaction.removeAlerts(tenantId, stored.dashboard.id, 'all');
    });
  }

  /** Brings a deleted dashboard and its alerts back. Throws `dashboard_not_found`. */
  async undelete(tenantId: string, id: string): Promise<UndeletedDashboard> {
    const nowMs = this.#clock.nowMs();
    const undeleted = await this.#dashboards.transaction((transaction) => transaction.undelete(tenantId, id, nowMs));
    if (!undeleted) throw new AppError('dashboard_not_found');
    return undeleted;
  }

  /** The alerts that this removed; `undefined` when another write came first. */
  async #save(tenantId: string, before: Dashboard, save: DashboardSave): Promise<string[] | undefined> {
    const after = save.dashboard;
    const losing = tilesLosingAlerts(before, after);
    return this.#dashboards.transaction(async (transaction) => {
      if (!(await transaction.save(tenantId, save))) return undefined;
      return losing.length > 0 ? transaction.removeAlerts(tenantId, after.id, losing) : [];
    });
  }

  async #check(tenantId: string, before: Dashboard | undefined, after: Dashboard): Promise<Problem[]> {
    const changed = changedTiles(before, after);
    const problems = checkDashboard(after, changed);
    const references = newReferences(before, referencesOf(after, changed));
    if (references.length > 0) problems.push(...checkReferences(references, await this.#lookUp(tenantId, references)));
    // The database is asked only about what could be stored otherwise.
    return problems.length > 0 ? problems : checkStatements(this.#statements, tenantId, { after, changed });
  }

  async #lookUp(tenantId: string, references: readonly Reference[]): Promise<KnownObjects> {
    const idsOf = (kind: Reference['kind']) => [
      ...new Set(references.filter((reference) => reference.kind === kind).map(({ id }) => id)),
    ];
    const [sources, connections, dashboards] = [idsOf('source'), idsOf('connection'), idsOf('dashboard')];
    const found = await Promise.all(dashboards.map((id) => this.#dashboards.findText(tenantId, id)));
    return {
      sources: await this.#sources.sources(tenantId, sources),
      connections: connections.length > 0 ? await this.#sources.connections(tenantId, connections) : new Set(),
      dashboards: new Set(dashboards.filter((_id, index) => found[index] !== undefined)),
    };
  }
}

/** Texts first: several times cheaper than comparing value by value, which only another order of keys needs. */
function isSame(one: Written, other: Written): boolean {
  if (one.json === other.json) return true;
  return one.json.length === other.json.length && isDeepStrictEqual(one.dashboard, other.dashboard);
}

interface Written {
  dashboard: Dashboard;
  json: string;
}

/** A source that was removed under a dashboard does not make the dashboard read-only: only new references count. */
function newReferences(before: Dashboard | undefined, references: readonly Reference[]): Reference[] {
  if (!before) return [...references];
  const everywhere = before.tiles.map((tile, index) => ({ tile, index }));
  const known = new Set(referencesOf(before, everywhere).map(({ kind, id }) => `${kind} ${id}`));
  return references.filter(({ kind, id, validate }) => validate || !known.has(`${kind} ${id}`));
}

function found<Stored extends { version: number }>(stored: Stored | undefined, ifMatch: string | undefined): Stored {
  if (!stored) throw new AppError('dashboard_not_found');
  if (!meetsPrecondition(ifMatch, stored.version)) throw new AppError('precondition_failed');
  return stored;
}

function rejectInvalid(problems: readonly Problem[]): void {
  if (problems.length === 0) return;
  throw new AppError('dashboard_invalid', { public: `Body validation failed: ${problemsText(problems)}` });
}
