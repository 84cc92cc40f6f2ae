import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { type RunningProgram, startProgram } from '../support/start-program.ts';

/** Made by `scripts/upgrade-fixture.mjs`, which ran the version that the file is named after. */
interface Fixture {
  personalKey: string;
  /** What that version answered to GET, by resource. */
  answers: Record<string, { data: object[] }>;
  /** Of its data folder; contents in base64. */
  files: Record<string, string>;
}

const fixtures = join(import.meta.dirname, 'upgrade');
const retention = Object.fromEntries(
  ['LOGS', 'TRACES', 'METRICS'].map((signal) => [`SIGNALBOX_RETENTION_DAYS_${signal}`, '18250']),
);
const counted: Readonly<Record<string, readonly [series: object, expected: number]>> = {
  log: [{ aggFn: 'count', where: 'payment declined' }, 20],
  trace: [{ aggFn: 'count', where: '' }, 1],
  metric: [{ aggFn: 'max', metricDataType: 'gauge', metricName: 'gauge', field: 'Value' }, 1.5],
};
const metricNames = ['exponential', 'gauge', 'histogram', 'sum', 'summary'];

it.each(readdirSync(fixtures))('the data folder of %s opens, and everything is there', async (name) => {
  const text = brotliDecompressSync(readFileSync(join(fixtures, name))).toString();
  const { personalKey, answers, files }: Fixture = JSON.parse(text);
  const dataDir = mkdtempSync(join(tmpdir(), 'signalbox-upgrade-'));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(dataDir, dirname(path)), { recursive: true });
    writeFileSync(join(dataDir, path), Buffer.from(content, 'base64'));
  }
  const program = await startProgram({ dataDir, provisioning: null, env: retention });
  try {
    for (const [resource, before] of Object.entries(answers)) {
      const { json } = await program.call('GET', `/api/v2/${resource}`, undefined, personalKey);
      expect(before.data.length, resource).toBeGreaterThan(0);
      // Later versions may answer more about each, never less.
      expect(json, resource).toMatchObject(withoutNow(before));
    }
    await holdVersions(program, personalKey);
    const { counts, metrics } = await telemetryIn(program, personalKey);
    expect(counts).toEqual(Object.fromEntries(Object.entries(counted).map(([kind, [, expected]]) => [kind, expected])));
    expect(metrics.toSorted()).toEqual(metricNames);
  } finally {
    await program.stop();
    rmSync(dataDir, { recursive: true });
  }
});

/** Whether a silence is active depends on when it is read. */
function withoutNow({ data }: { data: object[] }): { data: object[] } {
  return { data: data.map((one) => Object.fromEntries(Object.entries(one).filter(([name]) => name !== 'active'))) };
}

/** A dashboard from before versions were kept has one, to which a save adds; deleted ones are kept from now on. */
async function holdVersions(program: RunningProgram, key: string): Promise<void> {
  const ask = async <T>(method: string, path: string, body?: object) => {
    const { status, json } = await program.call(method, `/api/v2/${path}`, body, key);
    expect(status, `${method} ${path}: ${JSON.stringify(json)}`).toBe(200);
    return (json as { data: T }).data;
  };
  const [before] = await ask<{ id: string }[]>('GET', 'dashboards');
  const versions = () => ask<{ version: number }[]>('GET', `dashboards/${before?.id}/versions`);
  const [present] = await versions();
  await ask('PUT', `dashboards/${before?.id}`, { name: 'Renamed' });
  expect((await versions()).slice(0, 2)).toEqual([
    expect.objectContaining({ summary: 'Renamed from “Shop”' }),
    present,
  ]);
  expect(await ask('POST', `dashboards/${before?.id}/versions/${present?.version}/restore`)).toEqual(before);
  await ask('DELETE', `dashboards/${before?.id}`);
  expect(await ask('POST', `deleted-dashboards/${before?.id}/restore`)).toEqual(before);
}

async function telemetryIn(program: RunningProgram, key: string) {
  const ask = async (method: string, path: string, body?: object) => {
    const { status, json } = await program.call(method, `/api/v2/${path}`, body, key);
    expect(status, JSON.stringify(json)).toBe(200);
    return json;
  };
  const { data: sources } = (await ask('GET', 'sources')) as { data: { id: string; kind: string }[] };
  const idOf = (kind: string) => sources.find((source) => source.kind === kind)?.id;
  const range = { startTime: Date.UTC(2026, 0, 1), endTime: Date.now() + 86_400_000, granularity: '30d' };
  const counts: Record<string, number> = {};
  for (const [kind, [series]] of Object.entries(counted)) {
    const body = { ...range, series: [{ sourceId: idOf(kind), where: '', groupBy: [], ...series }] };
    const { data } = (await ask('POST', 'charts/series', body)) as { data: { 'series_0.data': number }[] };
    counts[kind] = data.reduce((sum, row) => sum + row['series_0.data'], 0);
  }
  const since = `startTime=${range.startTime}&endTime=${range.endTime}`;
  const listed = await ask('GET', `sources/${idOf('metric')}/metrics?${since}`);
  const { data: metrics } = listed as { data: { name: string }[] };
  return { counts, metrics: metrics.map(({ name }) => name) };
}
