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

/** The program as the published cloud clients expect it: one organization, service and pipe, under the cloud's paths. */
export function startManagedProgram(): Promise<RunningProgram> {
  return startProgram({
    provisioning: { organizations: [organization] },
    env: { SIGNALBOX_FLAVOUR: 'managed', SIGNALBOX_ALIASES: '1', SIGNALBOX_ROLES: 'api' },
  });
}
