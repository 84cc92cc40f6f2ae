import { join } from 'node:path';
import { readEndpoint } from '../../src/engine/endpoint-file.ts';
import { newEngineClient } from '../support/start-engine.ts';
import { type RunningProgram, startProgram } from '../support/start-program.ts';
import { ids } from '../support/two-tenancies.ts';

export const key = { keyId: 'KEYID', keySecret: 'cloud-secret-0123456789' };
export const pipe = {
  id: ids.pipe,
  name: 'orders',
  state: 'Running',
  destination: { database: 'shop', table: 'orders', columns: [{ name: 'id', type: 'UInt64' }] },
  scaling: { replicas: 1, replicaCpuMillicores: 250, replicaMemoryGb: 1.5 },
  source: { kafka: { brokers: 'kafka:9092', topics: 'orders', consumerGroup: 'billing' } },
};
const service = {
  id: ids.service,
  name: 'production',
  pipes: [pipe],
  webhooks: [{ name: 'ops', service: 'generic', url: 'http://127.0.0.1:9/hook' }],
};
const organization = { id: ids.organization, name: 'Acme', apiKeys: [{ name: 'ci', ...key }], services: [service] };

/** The program as the published cloud clients expect it, with a service that has no pipe yet, and a role that runs them. */
export function startPipesProgram(): Promise<RunningProgram> {
  const empty = { id: ids.service, name: 'production' };
  return startProgram({
    provisioning: { organizations: [{ ...organization, services: [empty] }] },
    env: { SIGNALBOX_FLAVOUR: 'managed', SIGNALBOX_ALIASES: '1', SIGNALBOX_ROLES: 'api,pipes' },
  });
}

/** Values of the first row that the statement finds in the tables of the service. */
export async function askTables(program: RunningProgram, list: string, table: string): Promise<unknown[]> {
  const client = newEngineClient({ endpoint: readEndpoint(join(program.dataDir, 'telemetry')) });
  try {
    const { columns } = await client.query(`SELECT ${list} FROM otel.${table}`, { timeoutMs: 20_000 });
    return columns.map(([value]) => value);
  } finally {
    await client.close();
  }
}

/** The program as the published cloud clients expect it: one organization, service and pipe, under the cloud's paths. */
export function startManagedProgram(): Promise<RunningProgram> {
  return startProgram({
    provisioning: { organizations: [organization] },
    env: { SIGNALBOX_FLAVOUR: 'managed', SIGNALBOX_ALIASES: '1', SIGNALBOX_ROLES: 'api' },
  });
}
