import { CreateDashboardSchema, type Dashboard } from '../../../src/contract/dashboard.ts';
import type { FlavourName } from '../../../src/http/operation.ts';
import { bodyCheck } from '../../../src/http/schema-check.ts';
import { serviceId, type TestAnswer, TestApi } from '../../../src/http/testing.ts';
import { randomIds } from '../../../src/kernel/ids.ts';
import type { FakeDashboardRepository } from '../../../src/resources/dashboards/fake-dashboard-repository.ts';
import { dashboardWorld } from '../../../src/resources/dashboards/testing.ts';

export const flavours = ['selfHosted', 'managed'] as const;
export const hex24 = /^[0-9a-f]{24}$/;
export const missingId = 'ffffffffffffffffffffffff';

/** The dashboards API of one flavour over a repository in memory. */
export class DashboardApi extends TestApi {
  readonly dashboards: FakeDashboardRepository;
  /** Status of an invalid configuration: seed §Update dashboard rule 3, decisions D1. */
  readonly invalidStatus: number;

  constructor(name: FlavourName) {
    const { dashboards, operations } = dashboardWorld(serviceId, randomIds, bodyCheck(CreateDashboardSchema));
    super(name, operations);
    this.dashboards = dashboards;
    this.invalidStatus = name === 'selfHosted' ? 500 : 400;
  }

  async create(body: unknown): Promise<Dashboard> {
    return this.unwrap(await this.tryCreate(body)) as Dashboard;
  }

  tryCreate(body: unknown): Promise<TestAnswer> {
    return this.send('POST', '/dashboards', { body });
  }

  async get(id: string): Promise<Dashboard> {
    return this.unwrap(await this.send('GET', `/dashboards/${id}`)) as Dashboard;
  }

  async list(query = ''): Promise<Dashboard[]> {
    return this.unwrap(await this.send('GET', `/dashboards${query}`)) as Dashboard[];
  }

  async put(id: string, body: unknown): Promise<Dashboard> {
    return this.unwrap(await this.tryPut(id, body)) as Dashboard;
  }

  tryPut(id: string, body: unknown, headers: Record<string, string> = {}): Promise<TestAnswer> {
    return this.send('PUT', `/dashboards/${id}`, { body, headers });
  }

  /** Everything that is stored, to show that a rejected write changed nothing. */
  stored(): unknown {
    return [...this.dashboards.rows].map(([id, row]) => [id, row.version, row.json]);
  }
}

/** Ids are the service's; everything else must come back as it was written. */
export function withoutIds({ id: _id, tiles, filters, ...rest }: Dashboard): object {
  const bare = ({ id: _own, ...fields }: { id: string }) => fields;
  return { ...rest, tiles: tiles.map(bare), ...(filters && { filters: filters.map(bare) }) };
}

export function tileIds({ tiles }: Dashboard): string[] {
  return tiles.map((tile) => tile.id);
}
