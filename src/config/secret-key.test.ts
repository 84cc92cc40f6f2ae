import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { randomIds } from '../kernel/ids.ts';
import { ConfigError } from './config-error.ts';
import { keepSecretKey } from './secret-key.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-secret-key-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const newKey = (): string => randomIds.secret(32);

describe('the secret key (interface: made at first start, kept in the data folder with mode 600)', () => {
  it('is made once and stays', async () => {
    const data = join(folder, 'new', 'data');
    const first = await keepSecretKey(data, newKey);
    const second = await keepSecretKey(data, newKey);
    expect(first.reveal()).toMatch(/^[0-9a-f]{64}$/);
    expect(second.reveal()).toBe(first.reveal());
    expect(statSync(join(data, 'secret-key')).mode & 0o777).toBe(0o600);
    expect(readdirSync(data)).toEqual(['secret-key']);
  });

  it('is the same for two starts at the same time', async () => {
    const keys = await Promise.all([1, 2, 3].map(() => keepSecretKey(folder, newKey)));
    const kept = readFileSync(join(folder, 'secret-key'), 'utf8').trim();
    expect(keys.map((key) => key.reveal())).toEqual([kept, kept, kept]);
  });

  it('gets its mode back when a backup was restored without it', async () => {
    await keepSecretKey(folder, newKey);
    const file = join(folder, 'secret-key');
    writeFileSync(join(folder, 'copy'), readFileSync(file), { mode: 0o644 });
    rmSync(file);
    writeFileSync(file, readFileSync(join(folder, 'copy')), { mode: 0o644 });
    await keepSecretKey(folder, newKey);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('is not replaced when its file is damaged: the stored secrets would be lost', async () => {
    writeFileSync(join(folder, 'secret-key'), '');
    await expect(keepSecretKey(folder, newKey)).rejects.toThrow(ConfigError);
    await expect(keepSecretKey(folder, newKey)).rejects.toThrow('SIGNALBOX_SECRET_KEY');
  });
});
