import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningProgram } from '../support/start-program.ts';
import { ids } from '../support/two-tenancies.ts';
import { buildCrateClient, crateBuildTimeoutMs, runCrateClient, whyCrateIsMissing } from './cloud-crate.ts';
import { key, pipe, startManagedProgram } from './managed-program.ts';

const reason = await whyCrateIsMissing();
/** Shown beside the skipped tests in the report. */
const why = reason === undefined ? '' : ` (skipped: ${reason})`;

describe.skipIf(reason !== undefined)(`the published cloud crate${why}`, () => {
  let program: RunningProgram;
  let seen: ReturnType<typeof JSON.parse>;

  beforeAll(async () => {
    const file = await buildCrateClient();
    program = await startManagedProgram();
    const place = [ids.organization, ids.service, ids.pipe];
    seen = await runCrateClient(file, [program.addresses.api, key.keyId, key.keySecret, ...place]);
  }, crateBuildTimeoutMs);
  afterAll(() => program?.stop());

  it('decodes a pipe without loss', () => {
    const { createdAt, updatedAt, ...read } = seen.pipe;
    expect(read).toEqual({ ...pipe, serviceId: ids.service });
    expect(Date.parse(createdAt)).toBeLessThanOrEqual(Date.parse(updatedAt));
  });

  it('knows every kind of source', () => {
    expect(seen.sources).toEqual(['ClickStackLogSource', 'ClickStackTraceSource', 'ClickStackMetricSource']);
  });

  it('creates a dashboard with tiles of both forms', () => {
    const config = { displayType: 'line', select: [{ aggFn: 'count', where: '' }] };
    const tiles = [
      { name: 'Orders', x: 0, y: 0, w: 12, h: 6, config },
      { name: 'Errors', x: 12, y: 0, w: 12, h: 6 },
    ];
    expect(seen.created).toMatchObject({ name: 'Shop', tags: ['shop'], tiles });
    expect(seen.configs).toEqual(['ClickStackLineChartConfig', null]);
  });

  it('reads it, writes it back under another name, and deletes it', () => {
    expect(seen.fetched).toEqual(seen.created);
    expect(seen.updated).toEqual({ ...seen.created, name: 'Shop 2' });
    expect(seen.deleted).toBe(200);
    expect(seen.gone).toBe('API error (status 404): NOT_FOUND: Dashboard not found');
  });
});
