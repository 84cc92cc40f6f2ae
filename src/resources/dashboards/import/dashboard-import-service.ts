import type { CreateDashboard } from '../../../contract/dashboard.ts';
import type {
  DashboardExport,
  DashboardImportPreview,
  DashboardImportRequest,
  ImportNote,
} from '../../../contract/dashboard-import.ts';
import { AppError } from '../../../contract/errors.ts';
import { type Problem, problemsText } from '../../../contract/problem.ts';
import type { SchemaCheck } from '../../../http/operation.ts';
import type { Dashboard } from '../dashboard.ts';
import type { StoredDashboard } from '../dashboard-repository.ts';
import type { DashboardService, Writing } from '../dashboard-service.ts';
import { exportDashboard } from './export-dashboard.ts';
import type { KnownNames } from './import-context.ts';
import { importDashboard, type ReadDashboard, UnknownDocument } from './import-dashboard.ts';
import { tileLabel } from './import-tiles.ts';
import { objectsOf, textOf } from './json-values.ts';

export interface DashboardImportDeps {
  /** What of a tenant can be referred to. */
  names: (tenantId: string) => Promise<KnownNames>;
  service: Pick<DashboardService, 'create' | 'validateNew'>;
  /** Validates a body by `CreateDashboardSchema`. */
  checkNew: SchemaCheck;
}

export interface ImportedDashboard extends StoredDashboard {
  notes: ImportNote[];
}

type Body = Record<string, unknown>;

interface Checked {
  body: Body;
  /** Why nothing can be stored. */
  errors: readonly Problem[];
  /** What would be stored. */
  dashboard: Dashboard | undefined;
  /** Tiles that can't be. */
  notes: ImportNote[];
}

/** Takes over dashboards from elsewhere: what of them can't be is reported, and nothing is written until all is checked. */
export class DashboardImportService {
  readonly #deps: DashboardImportDeps;

  constructor(deps: DashboardImportDeps) {
    this.#deps = deps;
  }

  /** What `create` would store and report; stores nothing. Throws `request_invalid` for what is no dashboard. */
  async preview(tenantId: string, request: DashboardImportRequest): Promise<DashboardImportPreview> {
    const read = await this.#read(tenantId, request);
    const { errors, dashboard, notes } = await this.#check(tenantId, read.body);
    const { format, references } = read;
    return { format, references, notes: [...read.notes, ...notes], errors: [...errors], dashboard: dashboard ?? null };
  }

  /** Stores what can be taken over. Throws `request_invalid`, also if that is no tile of several. */
  async create(writing: Writing, request: DashboardImportRequest): Promise<ImportedDashboard> {
    const { tenantId } = writing;
    const read = await this.#read(tenantId, request);
    const { body, errors, notes: more } = await this.#check(tenantId, read.body);
    const notes = [...read.notes, ...more];
    if (errors.length > 0) throw invalid(`The dashboard can’t be stored: ${problemsText(errors)}`);
    const lost = notes.find(({ kind }) => kind === 'left_out');
    if (lost && objectsOf(body.tiles).length === 0) {
      throw invalid(`No tile can be taken over. ${lost.subject}: ${lost.message}`);
    }
    // `#check` found it to be one.
    const stored = await this.#deps.service.create(writing, body as CreateDashboard);
    return { ...stored, notes };
  }

  /** A dashboard with the names of what it refers to. */
  async export(tenantId: string, dashboard: Dashboard): Promise<DashboardExport> {
    return exportDashboard(dashboard, await this.#deps.names(tenantId));
  }

  async #read(tenantId: string, { document, mapping = {}, name }: DashboardImportRequest): Promise<ReadDashboard> {
    try {
      const read = importDashboard(document, await this.#deps.names(tenantId), mapping);
      return name === undefined ? read : { ...read, body: { ...read.body, name } };
    } catch (error) {
      if (error instanceof UnknownDocument) throw invalid(error.message);
      throw error;
    }
  }

  /** Without the tiles that can't be stored: first those of a wrong form, then those that break a rule. */
  async #check(tenantId: string, given: Body): Promise<Checked> {
    const notes: ImportNote[] = [];
    let body = given;
    for (;;) {
      const { problems, dashboard } = await this.#problemsOf(tenantId, body);
      const broken = new Map(problems.flatMap((problem) => placeOfTile(problem) ?? []));
      const others = problems.filter((problem) => placeOfTile(problem) === undefined);
      if (broken.size === 0) return { body, errors: others, dashboard, notes };
      const tiles = objectsOf(body.tiles);
      for (const [index, message] of broken) {
        notes.push({ kind: 'left_out', subject: tileLabel(textOf(tiles[index]?.name), index), message });
      }
      body = { ...body, tiles: tiles.filter((_tile, index) => !broken.has(index)) };
    }
  }

  async #problemsOf(tenantId: string, body: Body): Promise<{ problems: readonly Problem[]; dashboard?: Dashboard }> {
    const problems = this.#deps.checkNew(body);
    if (problems.length > 0) return { problems };
    // `checkNew` found it to be one.
    const validated = await this.#deps.service.validateNew(tenantId, body as CreateDashboard);
    return validated.problems.length > 0
      ? { problems: validated.problems }
      : { problems: [], dashboard: validated.dashboard };
  }
}

/** The tile of a problem, and what is wrong in it. */
function placeOfTile({ path, message }: Problem): [[index: number, message: string]] | undefined {
  const [, index, inside] = /^tiles\.(\d+)(?:\.(.*))?$/.exec(path) ?? [];
  return index === undefined ? undefined : [[Number(index), inside ? `${inside}: ${message}` : message]];
}

function invalid(text: string): AppError {
  return new AppError('request_invalid', { public: text });
}
