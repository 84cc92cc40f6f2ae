// The console of the managed flavour, with an organization, two services and pipes in several states.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProgram } from '../demo/program.mjs';
import { root } from '../ensure-ready.mjs';

const organization = '6f1c2a5e-0d0b-4f6e-9d0e-3a1b2c4d5e6f';
const service = '0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d';
const pipe = '11111111-2222-4333-8444-555555555555';
const clicks = '22222222-2222-4333-8444-555555555555';
const person = { email: 'ada@example.com', password: 'an-uncommon-password' };

/** Name of the picture → the page's address, and what is done there first. */
export function consolePages() {
  const below = `/organizations/${organization}`;
  const pipes = `${below}/services/${service}/pipes`;
  const moved = (page) => page.getByText('"total":"free"').waitFor();
  const proposed = async (page) => {
    await moved(page);
    await page.reload();
    await page.getByRole('button', { name: /^Make/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).waitFor();
  };
  return {
    organization: { path: below },
    service: { path: `${below}/services/${service}` },
    pipe: { path: `${pipes}/${clicks}`, prepare: moved },
    'new-pipe': { path: `${pipes}/new` },
    'pipe-source': { path: `${pipes}/${clicks}`, prepare: proposed },
  };
}

/** Starts the program in a folder that is thrown away, with an account. */
export async function openConsole(mainFile = join(root, 'dist/main.js')) {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-console-'));
  const provisioning = join(folder, 'provisioning.json');
  const lake = join(folder, 'lake');
  mkdirSync(lake);
  writeFileSync(join(lake, 'clicks-1.json'), clickLines.join('\n'));
  writeFileSync(provisioning, JSON.stringify({ organizations: [acme(lake)] }));
  const ports = { API: '0', WEB: '0', OTLP_GRPC: '0', OTLP_HTTP: '0' };
  const program = startProgram(mainFile, {
    ...process.env,
    ...Object.fromEntries(Object.entries(ports).map(([name, port]) => [`SIGNALBOX_${name}_PORT`, port])),
    SIGNALBOX_FLAVOUR: 'managed',
    SIGNALBOX_SELF_TELEMETRY: '0',
    SIGNALBOX_PIPE_FILES_DIR: lake,
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

/** One of them does not fit. */
const clickLines = Array.from({ length: 12_000 }, (_, index) => {
  const total = index === 4_711 ? 'free' : (index % 97) / 4;
  const placed_at = new Date(Date.UTC(2026, 0, 31, 12) + index * 250).toISOString().slice(0, 19);
  return JSON.stringify({
    id: index,
    placed_at,
    level: 'info',
    message: `Order ${index} placed`,
    total: String(total),
  });
});

const acme = (lake) => ({
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
        {
          id: clicks,
          name: 'click-stream',
          state: 'Running',
          source: { objectStorage: { url: `file://${lake}/*.json`, format: 'JSONEachRow', isContinuous: true } },
          destination: {
            table: 'clicks',
            columns: [
              { name: 'id', type: 'UInt64' },
              { name: 'placed_at', type: 'DateTime' },
              { name: 'level', type: 'LowCardinality(String)' },
              { name: 'message', type: 'String' },
              { name: 'total', type: 'Decimal(12, 2)' },
            ],
          },
        },
        storagePipe('33333333-2222-4333-8444-555555555555', 'invoices', 'Paused'),
        storagePipe('44444444-2222-4333-8444-555555555555', 'returns', 'Failed'),
      ],
    },
    { id: '7c9d1e2f-3a4b-4c5d-8e6f-7a8b9c0d1e2f', name: 'staging' },
  ],
});

function storagePipe(id, name, state) {
  return {
    id,
    name,
    state,
    source: { objectStorage: { type: 's3', format: 'Parquet', url: `https://acme.s3.eu-central-1.example/${name}/*` } },
    destination: { database: 'shop', table: name.replace('-', '_'), managedTable: true },
  };
}
