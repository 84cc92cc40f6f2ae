// The console of the managed flavour, with an organization, two services and pipes in several states.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProgram } from '../demo/program.mjs';
import { root } from '../ensure-ready.mjs';

const organization = '6f1c2a5e-0d0b-4f6e-9d0e-3a1b2c4d5e6f';
const service = '0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d';
const pipe = '11111111-2222-4333-8444-555555555555';
const person = { email: 'ada@example.com', password: 'an-uncommon-password' };

/** Name of the picture → the page's address. */
export function consolePages() {
  const below = `/organizations/${organization}`;
  return {
    organization: { path: below },
    service: { path: `${below}/services/${service}` },
    pipe: { path: `${below}/services/${service}/pipes/${pipe}` },
  };
}

/** Starts the program in a folder that is thrown away, with an account. */
export async function openConsole(mainFile = join(root, 'dist/main.js')) {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-console-'));
  const provisioning = join(folder, 'provisioning.json');
  writeFileSync(provisioning, JSON.stringify({ organizations: [acme] }));
  const ports = { API: '0', WEB: '0', OTLP_GRPC: '0', OTLP_HTTP: '0' };
  const program = startProgram(mainFile, {
    ...process.env,
    ...Object.fromEntries(Object.entries(ports).map(([name, port]) => [`SIGNALBOX_${name}_PORT`, port])),
    SIGNALBOX_FLAVOUR: 'managed',
    SIGNALBOX_SELF_TELEMETRY: '0',
    SIGNALBOX_DATA_DIR: join(folder, 'data'),
    SIGNALBOX_PROVISIONING: provisioning,
  });
  const { web } = await program.ready;
  const answer = await fetch(`${web}/v1/account`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify(person),
  });
  if (!answer.ok) throw new Error(`The account could not be made: ${await answer.text()}`);
  const interrupt = async () => {
    await program.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  return { web, ...person, interrupt };
}

const acme = {
  id: organization,
  name: 'Acme',
  apiKeys: [
    { name: 'terraform', keyId: 'AKTERRAFORM000000001', keySecret: 'made-up-for-pictures-1', role: 'admin' },
    { name: 'status page', keyId: 'AKSTATUSPAGE00000001', keySecret: 'made-up-for-pictures-2', role: 'read' },
  ],
  services: [
    {
      id: service,
      name: 'production',
      ingestionKeys: [{ name: 'collectors', key: 'ingest-made-up-for-pictures-1' }],
      pipes: [
        {
          id: pipe,
          name: 'orders',
          state: 'Running',
          source: {
            kafka: {
              type: 'confluent',
              format: 'JSONEachRow',
              brokers: 'kafka-1.acme.example:9092,kafka-2.acme.example:9092',
              topics: 'orders',
              consumerGroup: 'signalbox-orders',
              authentication: 'PLAIN',
              credentials: { username: 'signalbox', password: 'made-up-for-pictures' },
            },
          },
          destination: {
            database: 'shop',
            table: 'orders',
            managedTable: true,
            columns: [
              { name: 'id', type: 'UUID' },
              { name: 'placed_at', type: "DateTime64(3, 'UTC')" },
              { name: 'total', type: 'Decimal(12, 2)' },
            ],
            tableDefinition: { engine: { type: 'MergeTree' }, sortingKey: ['placed_at', 'id'] },
          },
          fieldMappings: [
            { sourceField: 'order_id', destinationField: 'id' },
            { sourceField: 'created', destinationField: 'placed_at' },
            { sourceField: 'amount', destinationField: 'total' },
          ],
          scaling: { replicas: 2, replicaCpuMillicores: 250, replicaMemoryGb: 1 },
          settings: { streaming_max_insert_wait_ms: 5000 },
        },
        storagePipe('22222222-2222-4333-8444-555555555555', 'click-stream', 'Degraded'),
        storagePipe('33333333-2222-4333-8444-555555555555', 'invoices', 'Paused'),
        storagePipe('44444444-2222-4333-8444-555555555555', 'returns', 'Failed'),
      ],
    },
    { id: '7c9d1e2f-3a4b-4c5d-8e6f-7a8b9c0d1e2f', name: 'staging' },
  ],
};

function storagePipe(id, name, state) {
  return {
    id,
    name,
    state,
    source: { objectStorage: { type: 's3', format: 'Parquet', url: `https://acme.s3.eu-central-1.example/${name}/*` } },
    destination: { database: 'shop', table: name.replace('-', '_'), managedTable: true },
  };
}
