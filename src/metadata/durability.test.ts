import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openRaw, openTestMetadata } from '../../test/support/metadata-stores.ts';
import { type AcknowledgedWrite, runMetadataWriter } from '../../test/support/start-metadata-writer.ts';
import type { MetadataStore } from './open-metadata.ts';

const rounds = 6;
const tenantId = 'a tenant';

describe('the embedded store under processes that come and go', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'signalbox-durability-'));
    file = join(folder, 'metadata.db');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it(`decisions E5: ${rounds} kills at a random moment lose no acknowledged write and leave no half transaction`, async () => {
    const acknowledged: AcknowledgedWrite[] = [];
    for (let round = 1; round <= rounds; round++) {
      const killAfter = randomInt(1, 300);
      const run = await runMetadataWriter(file, tenantId, { killAfter });
      expect(run.errors, `round ${round}, killed after ${killAfter} writes`).toBe('');
      expect(run.acknowledged.length, `round ${round}`).toBeGreaterThanOrEqual(killAfter);
      acknowledged.push(...run.acknowledged);

      expect(await integrityOf(file)).toBe('ok');
      const store = await openTestMetadata({ kind: 'embedded', file });
      expect(await lostOf(store, acknowledged), `round ${round}, killed after ${killAfter} writes`).toEqual([]);
      expect(await halfPairs(store), `round ${round}, killed after ${killAfter} writes`).toEqual([]);
      await store.close();
    }
  });

  it('several processes may make it and write to it together', async () => {
    const runs = await Promise.all([1, 2, 3].map(() => runMetadataWriter(file, tenantId, { pairs: 40 })));
    for (const { errors, exitCode } of runs) expect({ errors, exitCode }).toEqual({ errors: '', exitCode: 0 });
    const store = await openTestMetadata({ kind: 'embedded', file });
    expect(await store.dashboards.listTexts(tenantId, {})).toHaveLength(3 * 40 * 2);
    expect(await halfPairs(store)).toEqual([]);
    await store.close();
  });
});

async function integrityOf(file: string): Promise<string | undefined> {
  const raw = await openRaw({ kind: 'embedded', file });
  const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(raw.reads);
  await raw.close();
  return rows[0]?.integrity_check;
}

/** Acknowledged writes that the store does not have. */
async function lostOf(store: MetadataStore, writes: readonly AcknowledgedWrite[]): Promise<AcknowledgedWrite[]> {
  const lost: AcknowledgedWrite[] = [];
  for (const write of writes) {
    for (const id of write.twins) {
      const stored = await store.dashboards.findText(tenantId, id);
      if (!stored || stored.version < write.version) lost.push(write);
    }
  }
  return lost;
}

/** Names of pairs of which only one is there, or which differ in their version: half a transaction each. */
async function halfPairs(store: MetadataStore): Promise<string[]> {
  const versions = new Map<string, number[]>();
  for (const text of await store.dashboards.listTexts(tenantId, {})) {
    const { id, name }: { id: string; name: string } = JSON.parse(text);
    const stored = await store.dashboards.findText(tenantId, id);
    versions.set(name, [...(versions.get(name) ?? []), stored?.version ?? 0]);
  }
  return [...versions].filter(([, [one, two]]) => one !== two).map(([name]) => name);
}
