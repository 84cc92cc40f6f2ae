import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { InsertBodies } from './insert-body.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'signalbox-bodies-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

it('hands over the whole body in a file that only we can read, and removes it', async () => {
  const bodies = new InsertBodies([root], 'me');
  const path = await bodies.withFile(Readable.from([Buffer.from('a\n\n'), Buffer.from('b')]), async (file) => {
    expect(readFileSync(file, 'utf8')).toBe('a\n\nb');
    return file;
  });
  expect(existsSync(path)).toBe(false);
});

it('removes it when its use fails, and when the body breaks off', async () => {
  const bodies = new InsertBodies([root], 'me');
  const refuse = () => Promise.reject(new Error('refused'));
  await expect(bodies.withFile(Readable.from(['x']), refuse)).rejects.toThrow('refused');
  const broken = Readable.from(
    (async function* () {
      yield 'half';
      throw new Error('broken off');
    })(),
  );
  await expect(bodies.withFile(broken, async () => 'used')).rejects.toThrow('broken off');
  expect(readdirSync(root)).toEqual([]);
});

it('sweeps what a killed predecessor left, in every folder, and nothing of others', () => {
  const other = join(root, 'not-there');
  writeFileSync(join(root, 'signalbox-insert-me-7'), 'left over');
  writeFileSync(join(root, 'signalbox-insert-you-7'), 'in use');
  new InsertBodies([other, root], 'me');
  expect(readdirSync(root).sort()).toEqual(['not-there', 'signalbox-insert-you-7']);
});
