import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isBoxOf } from '../access/seal-check.ts';
import { SecretBox } from '../access/secret-box.ts';
import { loadConfig } from '../config/config.ts';
import { findSecretKey, keepNextSecretKey, keepSecretKey } from '../config/secret-key.ts';
import { FakeClock } from '../kernel/fake-clock.ts';
import { randomIds as ids } from '../kernel/ids.ts';
import { silentLogger } from '../kernel/logger.ts';
import { type MetadataStore, openMetadata } from '../metadata/open-metadata.ts';
import { rotateSecretKey } from './rotate-secret-key.ts';
import { boxOf, secretKeysOf } from './secret-key-of.ts';

let folder: string;
let metadata: MetadataStore;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-rotation-'));
  const location = { kind: 'embedded', file: join(folder, 'metadata.db') } as const;
  metadata = await openMetadata({ location, clock: new FakeClock(), logger: silentLogger });
});
afterEach(async () => {
  await metadata.close();
  rmSync(folder, { recursive: true });
});

const [oldKey, newKey] = ['the old secret key', 'the new secret key'];
const webhook = {
  id: 'w',
  name: 'ops',
  service: 'generic',
  url: 'https://example.org/hook',
  createdAt: '',
  updatedAt: '',
} as const;
const stopped = async () => false;

function configOf(environment: Record<string, string> = {}) {
  return loadConfig({ SIGNALBOX_DATA_DIR: folder, ...environment });
}

/** A store whose first secret was sealed with this key. */
async function sealWith(key: string): Promise<void> {
  const box = new SecretBox(key);
  await isBoxOf(box, metadata.secretKeySeal);
  await metadata.webhooks.insert('a team', { ...webhook, sealedSecrets: box.seal('a header', 'w') });
}

async function openedWith(key: string): Promise<string> {
  const [{ sealed, context } = { sealed: '', context: '' }] = await metadata.sealedTexts.list();
  return new SecretBox(key).open(sealed, context);
}

it('keys that are set: both open everything, until one command has sealed it with the new one', async () => {
  await sealWith(oldKey);
  const both = configOf({ SIGNALBOX_SECRET_KEY: newKey, SIGNALBOX_PREVIOUS_SECRET_KEY: oldKey });
  const keys = await secretKeysOf(both, metadata);
  expect(boxOf(keys).open((await metadata.sealedTexts.list())[0]?.sealed ?? '', 'w')).toBe('a header');
  await expect(secretKeysOf(configOf({ SIGNALBOX_SECRET_KEY: newKey }), metadata)).rejects.toThrow(
    'SIGNALBOX_SECRET_KEY',
  );
  const result = await rotateSecretKey({ config: both, metadata, ids, isRunning: stopped });
  expect(result).toMatchObject({ resealed: 1, lost: [], key: 'set' });
  expect(await openedWith(newKey)).toBe('a header');
  await secretKeysOf(configOf({ SIGNALBOX_SECRET_KEY: newKey }), metadata);
  await expect(secretKeysOf(configOf({ SIGNALBOX_SECRET_KEY: oldKey }), metadata)).rejects.toThrow(
    'SIGNALBOX_SECRET_KEY',
  );
});

it('one key alone is not rotated, and neither is one that is not the store’s', async () => {
  await sealWith(oldKey);
  const alone = configOf({ SIGNALBOX_SECRET_KEY: oldKey });
  await expect(rotateSecretKey({ config: alone, metadata, ids, isRunning: stopped })).rejects.toThrow(
    'SIGNALBOX_PREVIOUS_SECRET_KEY',
  );
  const strange = configOf({ SIGNALBOX_SECRET_KEY: newKey, SIGNALBOX_PREVIOUS_SECRET_KEY: 'some other key' });
  await expect(rotateSecretKey({ config: strange, metadata, ids, isRunning: stopped })).rejects.toThrow('restore');
  expect(await openedWith(oldKey)).toBe('a header');
});

it('a kept key is replaced while no program runs, and the previous one stays beside it', async () => {
  const kept = (await keepSecretKey(folder, () => 'k'.repeat(64))).reveal();
  await sealWith(kept);
  const deps = { config: configOf(), metadata, ids };
  await expect(rotateSecretKey({ ...deps, isRunning: async () => true })).rejects.toThrow('Stop the program first');
  expect(await rotateSecretKey({ ...deps, isRunning: stopped })).toMatchObject({ resealed: 1, key: 'kept' });
  const now = (await findSecretKey(folder))?.reveal() ?? '';
  expect(now).not.toBe(kept);
  expect(await openedWith(now)).toBe('a header');
  expect(readFileSync(join(folder, 'secret-key.previous'), 'utf8').trim()).toBe(kept);
  for (const name of ['secret-key', 'secret-key.previous']) expect(statSync(join(folder, name)).mode & 0o077).toBe(0);
});

it.each([
  ['before its commit', 'k'.repeat(64)],
  ['after its commit', 'n'.repeat(64)],
])('a rotation of a kept key that is interrupted %s leaves a store that opens', async (_, sealedWith) => {
  const kept = (await keepSecretKey(folder, () => 'k'.repeat(64))).reveal();
  await keepNextSecretKey(folder, () => 'n'.repeat(64));
  await sealWith(sealedWith);
  const { current } = await secretKeysOf(configOf(), metadata);
  expect(current).toBe(sealedWith);
  expect((await findSecretKey(folder))?.reveal()).toBe(sealedWith);
  await rotateSecretKey({ config: configOf(), metadata, ids, isRunning: stopped });
  expect(await openedWith((await findSecretKey(folder))?.reveal() ?? '')).toBe('a header');
  expect(kept).toBe('k'.repeat(64));
});
