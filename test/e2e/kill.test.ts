import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ingestionKey, type RunningProgram, startProgram } from '../support/start-program.ts';

const rounds = 3;
const writers = 4;

interface Acknowledged {
  logs: string[];
  dashboards: string[];
  /** Requests that got no answer, byte for byte. */
  unanswered: { id: string; body: string }[];
}

async function sendLogs(program: RunningProgram, body: string): Promise<boolean> {
  const headers = { 'content-type': 'application/json', authorization: ingestionKey };
  const answer = await fetch(`${program.addresses.otlpHttp}/v1/logs`, { method: 'POST', headers, body });
  return answer.status === 200;
}

/** Writes logs and dashboards until the program is gone, noting what it acknowledged. */
async function writeUntilKilled(program: RunningProgram, acknowledged: Acknowledged, prefix: string): Promise<void> {
  for (let index = 0; ; index++) {
    const id = `${prefix}-${index}`;
    const body = JSON.stringify(logs(id));
    try {
      const [log, dashboard] = await Promise.all([
        sendLogs(program, body).catch((error) => {
          acknowledged.unanswered.push({ id, body });
          throw error;
        }),
        program.call('POST', '/api/v2/dashboards', { name: id, tiles: [] }),
      ]);
      if (log) acknowledged.logs.push(id);
      if (dashboard.status === 200) acknowledged.dashboards.push(id);
    } catch {
      return; // The connection broke: the program was killed.
    }
  }
}

function logs(id: string) {
  const timeUnixNano = String(BigInt(Date.now()) * 1_000_000n);
  const logRecords = [1, 2, 3].map((part) => ({
    timeUnixNano,
    body: { stringValue: 'written before the kill' },
    attributes: [{ key: 'write.id', value: { stringValue: `${id}/${part}` } }],
  }));
  return { resourceLogs: [{ scopeLogs: [{ logRecords }] }] };
}

/** As exporters do, until they are acknowledged. */
async function sendAgain(program: RunningProgram, acknowledged: Acknowledged): Promise<void> {
  for (const { id, body } of acknowledged.unanswered.splice(0)) {
    await expect.poll(() => sendLogs(program, body)).toBe(true);
    acknowledged.logs.push(id);
  }
}

async function storedLogIds(program: RunningProgram): Promise<Map<string, number>> {
  const { json: sources } = await program.call('GET', '/api/v2/sources');
  const sourceId = (sources as { data: { id: string; kind: string }[] }).data.find(
    (source) => source.kind === 'log',
  )?.id;
  const counts = new Map<string, number>();
  for (let writer = 0; writer < writers; writer++) {
    for (let round = 0; round < rounds; round++) {
      const where = `LogAttributes['write.id'] LIKE '${round}.${writer}-%'`;
      const series = [{ sourceId, aggFn: 'count', where, whereLanguage: 'sql', groupBy: ['LogAttributes.write.id'] }];
      const body = { startTime: Date.now() - 3_600_000, endTime: Date.now() + 60_000, granularity: '1d', series };
      const { status, json } = await program.call('POST', '/api/v2/charts/series', body);
      expect(status, JSON.stringify(json)).toBe(200);
      for (const row of (json as { data: { group: string[]; 'series_0.data': number }[] }).data) {
        const id = row.group[0] ?? '';
        counts.set(id, (counts.get(id) ?? 0) + row['series_0.data']);
      }
    }
  }
  return counts;
}

it('kill -9 under load loses nothing that was acknowledged, and stores nothing twice, also what is sent again', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'signalbox-kill-'));
  const acknowledged: Acknowledged = { logs: [], dashboards: [], unanswered: [] };
  for (let round = 0; round < rounds; round++) {
    const program = await startProgram({ dataDir });
    await sendAgain(program, acknowledged);
    const before = acknowledged.logs.length;
    const writing = Array.from({ length: writers }, (_, writer) =>
      writeUntilKilled(program, acknowledged, `${round}.${writer}`),
    );
    await expect.poll(() => acknowledged.logs.length - before).toBeGreaterThan(15 + 10 * round);
    await program.kill('SIGKILL');
    await Promise.all(writing);
  }
  const program = await startProgram({ dataDir });
  await sendAgain(program, acknowledged);
  const stored = await storedLogIds(program);
  const { json } = await program.call('GET', '/api/v2/dashboards');
  const names = new Set((json as { data: { name: string }[] }).data.map((dashboard) => dashboard.name));
  await program.stop();
  rmSync(dataDir, { recursive: true, force: true });

  expect(acknowledged.dashboards.filter((name) => !names.has(name))).toEqual([]);
  const expected = acknowledged.logs.flatMap((id) => [1, 2, 3].map((part) => `${id}/${part}`));
  expect(expected.filter((id) => !stored.has(id))).toEqual([]);
  expect([...stored].filter(([, count]) => count !== 1)).toEqual([]);
});
