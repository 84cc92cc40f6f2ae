import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { RestoreTarget } from './restore-target.ts';

let data: string;
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'signalbox-target-'));
});
afterEach(() => rmSync(data, { recursive: true }));

function put(folder: string, names: readonly string[], content: string): void {
  for (const name of names) {
    const path = join(folder, name);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, content);
  }
}

const contentOf = (name: string) => readFileSync(join(data, name), 'utf8');
const present = ['secret-key', 'metadata.db', 'metadata.db-wal', 'metadata.db-shm', 'telemetry/status'];

it('what was there is changed only by the commit, and set aside then', async () => {
  put(data, present, 'old');
  const target = await RestoreTarget.open(data, 'a');
  put(target.staging, ['metadata.db', 'telemetry/status'], 'new');
  expect(present.map(contentOf)).toEqual(present.map(() => 'old'));
  const aside = (await target.commit(Date.UTC(2026, 0, 31))) ?? '';
  await target.close();
  expect(['metadata.db', 'telemetry/status', 'secret-key'].map(contentOf)).toEqual(['new', 'new', 'old']);
  // The log of the old file would be applied to the new one.
  expect(existsSync(join(data, 'metadata.db-wal'))).toBe(false);
  expect(readdirSync(aside).toSorted()).toEqual(['metadata.db', 'metadata.db-shm', 'metadata.db-wal', 'telemetry']);
  expect(readdirSync(data).filter((name) => name.startsWith('restoring-'))).toEqual([]);
});

it('one part alone leaves the other as it is', async () => {
  put(data, present, 'old');
  const target = await RestoreTarget.open(data, 'a');
  put(target.staging, ['telemetry/status'], 'new');
  await target.commit(0);
  expect(['metadata.db', 'metadata.db-wal', 'telemetry/status'].map(contentOf)).toEqual(['old', 'old', 'new']);
});

it('an empty folder has nothing to set aside, and an interrupted restore is swept by the next', async () => {
  await RestoreTarget.open(data, 'interrupted');
  const target = await RestoreTarget.open(data, 'b');
  expect(readdirSync(data)).toEqual(['restoring-b']);
  put(target.staging, ['metadata.db'], 'new');
  expect(await target.commit(0)).toBeUndefined();
  await target.close();
  expect(readdirSync(data)).toEqual(['metadata.db']);
});
