import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BackupReader } from './backup-reader.ts';
import { BackupWriter } from './backup-writer.ts';
import { type BackupManifest, formatVersion } from './manifest.ts';

let work: string;
beforeEach(() => {
  work = mkdtempSync(join(tmpdir(), 'signalbox-backup-folder-'));
});
afterEach(() => rmSync(work, { recursive: true }));

const manifest: BackupManifest = { formatVersion, id: 'an id', program: 'dev', startedAt: '2026-01-31T12:00:00.000Z' };
const lines = fc.array(
  fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text)),
  { maxLength: 20 },
);
const contents = fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.uint8Array({ maxLength: 200 }), { maxKeys: 5 });

async function write(rows: readonly string[], files: Record<string, Uint8Array>): Promise<string> {
  const [folder, source] = [mkdtempSync(join(work, 'backup-')), mkdtempSync(join(work, 'source-'))];
  const writer = await BackupWriter.create(folder);
  await writer.writeLines('rows.jsonl', async (add) => {
    for (const row of rows) await add(row);
  });
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(source, name), content);
    await writer.copyIn(join(source, name), `part/${name}`);
  }
  await writer.finish(manifest);
  return folder;
}

async function readAll(folder: string): Promise<{ rows: string[]; files: Record<string, Uint8Array> }> {
  const reader = await BackupReader.open(folder);
  const target = mkdtempSync(join(work, 'target-'));
  await reader.check('rows.jsonl');
  const rows: string[] = [];
  for await (const row of reader.lines('rows.jsonl')) rows.push(row);
  const files: Record<string, Uint8Array> = {};
  for (const path of reader.filesBelow('part')) {
    await reader.copyOut(path, join(target, path));
    files[path.slice('part/'.length)] = new Uint8Array(readFileSync(join(target, path)));
  }
  return { rows, files };
}

describe('the folder of a backup', () => {
  it('gives back what was put in, whatever characters end a line elsewhere', async () => {
    await fc.assert(
      fc.asyncProperty(lines, contents, async (rows, files) => {
        expect(await readAll(await write(rows, files))).toEqual({ rows, files });
      }),
      { numRuns: 25 },
    );
  });

  it('is rejected when any file lost, gained or changed a byte, or is missing', async () => {
    const files = { first: new Uint8Array([1, 2, 3]), second: new Uint8Array([4]) };
    for (const path of ['part/first', 'part/second', 'rows.jsonl', 'manifest.json', 'SHA256SUMS']) {
      const folder = await write(['"row"'], files);
      const file = join(folder, path);
      const content = readFileSync(file);
      for (const damaged of [content.subarray(1), Buffer.concat([content, Buffer.from('x')]), flipped(content)]) {
        writeFileSync(file, damaged);
        await expect(readAll(folder), path).rejects.toThrow(/damaged/);
      }
      rmSync(file);
      await expect(readAll(folder), path).rejects.toThrow(path === 'SHA256SUMS' ? /no complete backup/ : /damaged/);
    }
  });

  it('is rejected when a newer program made it', async () => {
    const folder = mkdtempSync(join(work, 'newer-'));
    const writer = await BackupWriter.create(folder);
    await writer.finish({ ...manifest, formatVersion: formatVersion + 1, program: '9.0.0' });
    await expect(BackupReader.open(folder)).rejects.toThrow(/newer version of Signalbox \(9\.0\.0\)/);
  });

  it('is only its owner’s, and is not written into a folder with content', async () => {
    const folder = await write([], { one: new Uint8Array([1]) });
    for (const path of ['', 'part']) expect(statSync(join(folder, path)).mode & 0o077).toBe(0);
    expect(statSync(join(folder, 'part/one')).mode & 0o777).toBe(0o600);
    await expect(BackupWriter.create(folder)).rejects.toThrow(/not empty/);
  });

  it('is not begun when there is no room for it', async () => {
    const writer = await BackupWriter.create(join(work, 'large'));
    await expect(writer.requireRoom(Number.MAX_SAFE_INTEGER)).rejects.toThrow(/needs \d+ MB, and only \d+ MB are free/);
  });

  it('leaves nothing behind when it is abandoned', async () => {
    const folder = join(work, 'abandoned');
    const writer = await BackupWriter.create(folder);
    await writer.writeLines('rows.jsonl', (add) => add('"row"'));
    await writer.abandon();
    await BackupWriter.create(folder);
  });

  it('has checksums whose paths stay inside', async () => {
    const folder = await write([], {});
    for (const path of ['../outside', '/etc/passwd', 'part//one', 'part/./one']) {
      mkdirSync(join(folder, 'part'), { recursive: true });
      appendFileSync(join(folder, 'SHA256SUMS'), `${'0'.repeat(64)}  ${path}\n`);
      await expect(BackupReader.open(folder), path).rejects.toThrow(/not a checksum/);
    }
  });
});

function flipped(content: Buffer): Buffer {
  const copy = Buffer.from(content);
  copy.writeUInt8((copy.readUInt8(0) ^ 1) & 0xff, 0);
  return copy;
}
