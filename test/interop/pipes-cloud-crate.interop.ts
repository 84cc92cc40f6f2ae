import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeFile } from '../support/after-file.ts';
import { accessKey, S3Server } from '../support/s3-server.ts';
import type { RunningProgram } from '../support/start-program.ts';
import { ids } from '../support/two-tenancies.ts';
import { buildCrateClient, crateBuildTimeoutMs, runCrateClient, whyCrateIsMissing } from './cloud-crate.ts';
import { askTables, key, startPipesProgram } from './managed-program.ts';

const reason = await whyCrateIsMissing();
/** Shown beside the skipped tests in the report. */
const why = reason === undefined ? '' : ` (skipped: ${reason})`;

describe.skipIf(reason !== undefined)(`pipes with the published cloud crate${why}`, () => {
  let program: RunningProgram;
  let seen: ReturnType<typeof JSON.parse>;

  beforeAll(async () => {
    const file = await buildCrateClient();
    program = await startPipesProgram();
    const s3 = await S3Server.start();
    s3.put('in/a.json', Array.from({ length: 100 }, (_, id) => JSON.stringify({ id, name: 'n' })).join('\n'));
    const place = [program.addresses.api, key.keyId, key.keySecret, ids.organization, ids.service];
    const source = [`${s3.url}/in/*.json`, accessKey.accessKeyId, accessKey.secretKey];
    seen = await runCrateClient(file, [...place, ...source]);
  }, crateBuildTimeoutMs);
  afterAll(async () => {
    await program?.stop();
    await closeFile();
  });

  it('every state on the way is one that the crate knows, and each change moves updatedAt', () => {
    const { created, running, edited, stopping, stopped, starting, restarted } = seen;
    const steps = [created, running, edited, stopping, stopped, starting, restarted];
    expect(steps.map(({ state }) => state)).toEqual([
      ...['Provisioning', 'Running', 'Running', 'Stopping', 'Stopped', 'Provisioning', 'Running'],
    ]);
    const moments = steps.map(({ updatedAt }) => Date.parse(updatedAt));
    expect(moments).toEqual(moments.toSorted((left, right) => left - right));
    expect(new Set(moments).size).toBe(steps.length);
  });

  it('what was created is what is read, listed and changed, without its secrets', async () => {
    const { created, running, listed, renamed, scaled, settings } = seen;
    const { state, updatedAt, ...same } = running;
    expect(created).toEqual({ ...same, state: 'Provisioning', updatedAt: created.updatedAt });
    expect(listed.map(({ id }: { id: string }) => id)).toEqual([created.id]);
    expect([renamed.name, scaled.scaling.replicas]).toEqual(['orders of today', 2]);
    expect(settings).toEqual({ object_storage_polling_interval_ms: 100 });
    expect(JSON.stringify(seen)).not.toContain(accessKey.secretKey);
    expect([state, typeof updatedAt]).toEqual(['Running', 'string']);
  });

  it('rows arrive once, and stay when the pipe is deleted', async () => {
    expect(await askTables(program, 'count(), uniqExact(id)', 'orders')).toEqual([100, 100]);
    expect(seen.refused).toMatch(/^API error \(status 409\): CONFLICT: The pipe is Running, so it cannot resync/);
    expect(seen.deleted).toBe(200);
    expect(seen.gone).toBe('API error (status 404): NOT_FOUND: Pipe not found');
  });
});
