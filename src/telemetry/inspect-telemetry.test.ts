import { describe, expect, it } from 'vitest';
import { engineLibrary, startPlainServer } from '../../test/support/plain-server/start-plain-server.ts';
import { serverClient } from '../../test/support/server-engine.ts';
import { startEngine } from '../../test/support/start-engine.ts';
import { inspectTelemetry } from './inspect-telemetry.ts';

const library = engineLibrary();
const healthy = { detachedParts: 0, failedMutations: [], readonlyReplicas: [], replicasBehind: [], fixedSettings: [] };

it('the embedded engine is asked for what it knows', async () => {
  const engine = await startEngine();
  const found = await inspectTelemetry(engine.client, { database: 'otel', hasUsers: false });
  expect(found).toEqual({ ...healthy, version: expect.stringMatching(/^\d+\.\d+/), nowMs: expect.any(Number) });
  expect(Math.abs(found.nowMs - Date.now())).toBeLessThan(600_000);
});

describe.skipIf(!library)('a server', () => {
  it('is asked for the rights of the user too, and for a cluster', async () => {
    const client = serverClient(await startPlainServer(library ?? expect.unreachable()));
    const found = await inspectTelemetry(client, { database: 'otel', cluster: 'unknown', hasUsers: true });
    expect(found).toMatchObject({ ...healthy, missingRights: [], cluster: { shards: 0, replicas: 0 } });
  });
});
