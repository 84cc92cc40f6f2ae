import { describe, expect, it } from 'vitest';
import { renderAlter, renderCreateDatabase, renderCreateTable, type Topology, telemetryTables } from './render-ddl.ts';

const retention = { logs: 30, traces: 14, metrics: 90 };
const topologies: [string, Topology][] = [
  ['embedded', { kind: 'embedded' }],
  ['single', { kind: 'single' }],
  ['cluster', { kind: 'cluster', cluster: 'main' }],
];

describe('decisions E4: one definition, every topology', () => {
  it.each(topologies)('%s', async (name, topology) => {
    const tables = telemetryTables.flatMap((table) => renderCreateTable('otel', table, topology, retention));
    const statements = [renderCreateDatabase('otel', topology), ...tables];
    await expect(`${statements.join(';\n\n')};\n`).toMatchFileSnapshot(`./${name}.golden.sql`);
  });
});

it('a column is added to both tables of a cluster, an index to the stored one alone', () => {
  const [logs] = telemetryTables;
  if (!logs) throw new Error('there are no tables');
  const cluster: Topology = { kind: 'cluster', cluster: 'main' };
  expect(renderAlter('otel', logs, cluster, 'ADD COLUMN x String')).toEqual([
    'ALTER TABLE `otel`.`otel_logs_local` ON CLUSTER `main` ADD COLUMN x String',
    'ALTER TABLE `otel`.`otel_logs` ON CLUSTER `main` ADD COLUMN x String',
  ]);
  expect(renderAlter('otel', logs, cluster, 'ADD INDEX i x TYPE minmax')).toHaveLength(1);
});
