import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ingestionKey, personalKey, type RunningProgram, startProgram } from '../support/start-program.ts';

const secondKey = 'fedcba9876543210fedcba9876543210fedcba98';
let program: RunningProgram;

beforeAll(async () => {
  const team = (name: string, email: string, key: string, ingestion: string) => ({
    name,
    users: [{ email, apiKeys: [{ name: 'ci', key }] }],
    ingestionKeys: [{ name: 'default', key: ingestion }],
  });
  program = await startProgram({
    provisioning: {
      teams: [
        team('Acme', 'ada@example.com', personalKey, ingestionKey),
        team('Other', 'bob@example.com', secondKey, 'ingest-fedcba9876543210fedcba9876543210'),
      ],
    },
  });
});

afterAll(() => program.stop());

const oneLog = {
  resourceLogs: [
    { scopeLogs: [{ logRecords: [{ timeUnixNano: '1700000000000000000', body: { stringValue: 'x' } }] }] },
  ],
};

async function sendLog(authorization: string | undefined, body = JSON.stringify(oneLog)): Promise<Response> {
  const headers = { 'content-type': 'application/json', ...(authorization ? { authorization } : {}) };
  return fetch(`${program.addresses.otlpHttp}/v1/logs`, { method: 'POST', headers, body });
}

describe('each key opens its own door only (seed: the ingestion key … does not authenticate this API)', () => {
  it.each([
    ['no key at all', ''],
    ['a wrong key', 'wrong'],
    ['an ingestion key', ingestionKey],
  ])('the API answers 401 {message} to %s', async (_what, key) => {
    const { status, json } = await program.call('GET', '/api/v2/dashboards', undefined, key);
    expect(status).toBe(401);
    expect(json).toEqual({ message: expect.any(String) });
  });

  it.each([
    ['no key at all', undefined],
    ['a wrong key', 'Bearer wrong'],
    ['a personal key', `Bearer ${personalKey}`],
  ])('the collector answers 401 to %s', async (_what, authorization) => {
    expect((await sendLog(authorization)).status).toBe(401);
  });

  it.each([ingestionKey, `Bearer ${ingestionKey}`, `bearer ${ingestionKey}`])(
    'the collector takes an ingestion key written as %s',
    async (text) => {
      expect((await sendLog(text)).status).toBe(200);
    },
  );
});

describe('another team’s objects look like missing ones (decisions F2)', () => {
  it('reading, changing, deleting: 404, and the object stays as it was', async () => {
    const created = await program.call('POST', '/api/v2/dashboards', { name: 'Mine', tiles: [] });
    const path = `/api/v2/dashboards/${(created.json as { data: { id: string } }).data.id}`;
    for (const [method, body] of [
      ['GET', undefined],
      ['PUT', { name: 'Taken' }],
      ['DELETE', undefined],
    ] as const) {
      const foreign = await program.call(method, path, body, secondKey);
      const missing = await program.call(method, '/api/v2/dashboards/66a1f00000000000000000a1', body, secondKey);
      expect(foreign.status).toBe(404);
      expect(foreign.json).toEqual(missing.json);
    }
    expect((await program.call('GET', path)).json).toMatchObject({ data: { name: 'Mine' } });
  });

  it('a chart over another team’s source: 404', async () => {
    const { json } = await program.call('GET', '/api/v2/sources', undefined, secondKey);
    const foreign = (json as { data: { id: string }[] }).data[0]?.id;
    const series = [{ sourceId: foreign, aggFn: 'count', where: '', groupBy: [] }];
    const answer = await program.call('POST', '/api/v2/charts/series', {
      startTime: 1_700_000_000_000,
      endTime: 1_700_000_060_000,
      series,
    });
    expect(answer.status).toBe(404);
  });
});

describe('malformed telemetry (nothing of it is stored)', () => {
  it('answers 400 to OTLP that can’t be read', async () => {
    const counts = async () => {
      const { json } = await program.call('GET', '/api/v2/sources');
      const sourceId = (json as { data: { id: string; kind: string }[] }).data.find(
        (source) => source.kind === 'log',
      )?.id;
      const series = [{ sourceId, aggFn: 'count', where: '', groupBy: [] }];
      const answer = await program.call('POST', '/api/v2/charts/series', {
        startTime: 1,
        endTime: 4_000_000_000_000,
        granularity: '30000d',
        series,
      });
      return answer.json;
    };
    const before = await counts();
    expect((await sendLog(ingestionKey, '{"resourceLogs": [')).status).toBe(400);
    const garbage = await fetch(`${program.addresses.otlpHttp}/v1/logs`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-protobuf', authorization: ingestionKey },
      body: Buffer.from([0x0a, 0xff, 0xff, 0xff, 0x0f, 0x01]),
    });
    expect(garbage.status).toBe(400);
    expect(JSON.stringify(await counts()).replace(/"meta":.*/, '')).toBe(
      JSON.stringify(before).replace(/"meta":.*/, ''),
    );
  });
});
