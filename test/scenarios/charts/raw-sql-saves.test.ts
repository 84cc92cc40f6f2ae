import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { CreateDashboardSchema } from '../../../src/contract/dashboard.ts';
import type { ImportNote } from '../../../src/contract/dashboard-import.ts';
import { bodyCheck } from '../../../src/http/schema-check.ts';
import { TestApi } from '../../../src/http/testing.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { randomIds as ids } from '../../../src/kernel/ids.ts';
import { SqlStatementCheck } from '../../../src/resources/charts/raw-sql/sql-statement-check.ts';
import { DashboardService } from '../../../src/resources/dashboards/dashboard-service.ts';
import { FakeDashboardRepository } from '../../../src/resources/dashboards/fake-dashboard-repository.ts';
import { DashboardImportService } from '../../../src/resources/dashboards/import/dashboard-import-service.ts';
import { knownNames } from '../../../src/resources/dashboards/import/known-names.ts';
import { dashboardOperations } from '../../../src/resources/dashboards/operations/dashboard-operations.ts';
import { RepositorySourceLookup } from '../../../src/resources/dashboards/repository-source-lookup.ts';
import { TelemetryError } from '../../../src/telemetry/ports.ts';
import { ChartApi } from './chart-api.ts';
import { startStore } from './telemetry-rows.ts';

let charts: ChartApi;
let api: TestApi;
let isAway = false;
let common: object;

beforeAll(async () => {
  const engine = await startStore();
  const run: typeof engine.queryRunner.run = (query, options) =>
    isAway ? Promise.reject(new TelemetryError('unavailable', 'away')) : engine.queryRunner.run(query, options);
  charts = await ChartApi.over({ runner: { run }, schemas: engine.tableSchemas });
  const { sources, connections, sql } = charts.parts;
  const dashboards = new FakeDashboardRepository();
  const service = new DashboardService({
    dashboards,
    sources: new RepositorySourceLookup(sources, connections),
    statements: new SqlStatementCheck(sql, systemClock),
    ids,
    clock: systemClock,
  });
  const checkNew = bodyCheck(CreateDashboardSchema);
  const names = (tenantId: string) => knownNames({ sources, connections, dashboards }, tenantId);
  const imports = new DashboardImportService({ names, service, checkNew });
  api = new TestApi('selfHosted', dashboardOperations({ service, dashboards, imports, checkNew }));
  common = { configType: 'sql', connectionId: await charts.connectionId(), sourceId: await charts.sourceId('log') };
});

const tile = (sqlTemplate: string, change: object = {}) => ({
  name: 't',
  config: { ...common, displayType: 'table', sqlTemplate, ...change },
});

async function save(...tiles: object[]): Promise<[number, string]> {
  const answer = await api.send('POST', '/dashboards', { body: { name: 'd', tiles } });
  return [answer.status, (answer.json as { message?: string }).message ?? ''];
}

describe('a wrong statement is rejected when it is saved', () => {
  it.each([
    [
      'SELECT nothing FROM $__sourceTable',
      'tiles.0.config.sqlTemplate: there is no such column or alias: nothing (at position 7)',
    ],
    ['SELECT 1 FRM $__sourceTable', /tiles\.0\.config\.sqlTemplate: this is not valid SQL.*\(at position \d+\)/],
    ['SELECT count() FROM otel_other.otel_logs', /otel_other\.otel_logs can't be read here.*\(at position 20\)/],
    ["SELECT file('/etc/passwd')", 'tiles.0.config.sqlTemplate: the function file is not allowed (at position 7)'],
    ['SELECT $__nothing', /there is no macro \$__nothing.*\(at position 7\)/],
    ['SELECT countIf(Body) FROM $__sourceTable', /tiles\.0\.config\.sqlTemplate: a function got an argument/],
  ])('%s', async (sql, message) => {
    const [status, found] = await save(tile(sql));
    expect([status, found]).toEqual([
      500,
      typeof message === 'string' ? expect.stringContaining(message) : expect.stringMatching(message),
    ]);
    expect(found).not.toMatch(/DB::|Exception|EXPLAIN|otel_logs_local/);
  });

  it('$__sourceTable and $__filters need a source', async () => {
    for (const macro of ['$__sourceTable', '$__filters']) {
      const [status, message] = await save(
        tile(`SELECT count() FROM otel_logs WHERE ${macro}`, { sourceId: undefined }),
      );
      expect([status, message]).toEqual([
        500,
        expect.stringContaining(`tiles.0.config.sourceId: is required: the SQL uses ${macro}`),
      ]);
    }
  });

  it('all other statements are saved, of every display type; what is stored is not checked again', async () => {
    const over =
      'SELECT $__timeInterval(Timestamp) AS ts, count() AS n FROM $__sourceTable WHERE $__timeFilter(Timestamp) AND $__filters GROUP BY ts';
    const all = ['line', 'stacked_bar', 'stacked_line', 'table', 'number', 'pie', 'bar'].map((displayType) =>
      tile(over, { displayType }),
    );
    expect(await save(...all)).toEqual([200, '']);
  });

  it('while the database is away, statements are saved unchecked', async () => {
    isAway = true;
    try {
      expect(await save(tile('SELECT nothing'))).toEqual([200, '']);
      expect((await save(tile('SELECT (')))[0]).toBe(500);
    } finally {
      isAway = false;
    }
  });
});

it('statements of an imported Grafana dashboard are checked like those that are saved', async () => {
  const document = JSON.parse(readFileSync(new URL('../dashboards/imports/grafana.json', import.meta.url), 'utf8'));
  const system = { type: 'table', title: 'System', targets: [{ rawSql: 'SELECT * FROM system.parts' }] };
  const answer = await api.send('POST', '/dashboards/import', {
    body: { document: { ...document, panels: [...document.panels, system] } },
  });
  const { data, meta } = answer.json as { data: { tiles: { name: string }[] }; meta: { notes: ImportNote[] } };
  expect(data.tiles.map(({ name }) => name)).toEqual([
    ...['Lines a second', '', 'Lines by level', 'Latency A', 'Latency B', 'Slowest spans', 'Gauges'],
  ]);
  expect(meta.notes.find(({ subject }) => subject === 'Tile “System”')).toEqual({
    ...{ kind: 'left_out', subject: 'Tile “System”' },
    message: expect.stringMatching(/^config\.sqlTemplate: /),
  });
});
