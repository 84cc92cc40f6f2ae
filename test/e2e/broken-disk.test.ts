import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { ingestionKey, launchProgram, type RunningProgram, startProgram } from '../support/start-program.ts';

const lastSentence = (output: string) => JSON.parse(output.trim().split('\n').at(-1) ?? '{}').msg as string;

const makeFolder = () => mkdtempSync(join(tmpdir(), 'signalbox-e2e-'));

async function failedStart(options: Parameters<typeof launchProgram>[0]): Promise<string> {
  const { exited, output } = launchProgram(options);
  expect((await exited).code, output()).toBe(2);
  return lastSentence(output());
}

/** Logs with distinct bodies, in one request. */
async function sendLogs(program: RunningProgram, mark: string, records = 1): Promise<number> {
  const logRecords = Array.from({ length: records }, (_, at) => ({
    timeUnixNano: `${Date.now()}000000`,
    body: { stringValue: `${mark} ${at}` },
  }));
  const answer = await fetch(`${program.addresses.otlpHttp}/v1/logs`, {
    method: 'POST',
    headers: { authorization: ingestionKey, 'content-type': 'application/json' },
    body: JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] }),
  });
  await answer.arrayBuffer();
  return answer.status;
}

interface Ready {
  status: string;
  parts: Record<string, string>;
  reasons?: Record<string, string>;
  warnings?: string[];
}

async function ready(program: RunningProgram): Promise<{ status: number; body: Ready }> {
  const answer = await fetch(`${program.addresses.api}/ready`);
  return { status: answer.status, body: (await answer.json()) as Ready };
}

describe('a start on a disk that is not as it should be: one sentence, exit code 2', () => {
  it.each([
    ['metadata.db', /metadata\.db.*there is a folder where a file should/],
    ['secret-key', /secret-key.*there is a folder where a file should/],
    ['first-keys.json', /first-keys\.json.*there is a folder where a file should/],
  ])('a folder called %s', async (name, sentence) => {
    const dataDir = makeFolder();
    mkdirSync(join(dataDir, name));
    expect(await failedStart({ dataDir, provisioning: null })).toMatch(sentence);
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('a file called telemetry', async () => {
    const dataDir = makeFolder();
    writeFileSync(join(dataDir, 'telemetry'), '');
    expect(await failedStart({ dataDir })).toMatch(/engine did not start.*there is a file where a folder should be/);
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('few open files: ulimit -n 128', async () => {
    const dataDir = makeFolder();
    const main = join(inject('programFolder'), 'main.js');
    const child = spawn('bash', ['-c', `ulimit -n 128; exec node ${main} serve`], {
      env: { PATH: process.env.PATH, SIGNALBOX_DATA_DIR: dataDir },
    });
    let output = '';
    child.stdout.on('data', (text) => {
      output += text;
    });
    expect(await new Promise((done) => child.once('close', done)), output).toBe(2);
    expect(lastSentence(output)).toMatch(/limit of open files is 128.*ulimit -n/);
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('a used store without its secret key, or with another; no new one is made, and the old one is taken back', async () => {
    const first = await startProgram();
    await first.kill('SIGTERM');
    const key = join(first.dataDir, 'secret-key');
    renameSync(key, `${key}.away`);
    for (let attempt = 0; attempt < 2; attempt++) {
      expect(await failedStart({ dataDir: first.dataDir })).toMatch(/secret-key is missing in SIGNALBOX_DATA_DIR/);
    }
    // Another key would open nothing of what is sealed.
    writeFileSync(key, 'x'.repeat(48), { mode: 0o600 });
    expect(await failedStart({ dataDir: first.dataDir })).toMatch(/is not the key that encrypted the secrets/);
    renameSync(`${key}.away`, key);
    const again = await startProgram({ dataDir: first.dataDir });
    expect((await ready(again)).status).toBe(200);
    await again.stop();
    rmSync(first.dataDir, { recursive: true, force: true });
  });
});

it('parts that the engine sets aside are counted, warned of, and shown; what is left is served', async () => {
  const first = await startProgram();
  for (let at = 0; at < 5; at++) expect(await sendLogs(first, `batch ${at}`, 200)).toBe(200);
  await first.kill('SIGTERM');
  damageOnePart(join(first.dataDir, 'telemetry'));
  const again = await startProgram({ dataDir: first.dataDir });
  expect(again.output()).toMatch(/Parts of the telemetry store are damaged or detached \(\d+\)/);
  const { status, body } = await ready(again);
  expect([status, body.warnings]).toEqual([200, [expect.stringContaining('their rows are missing')]]);
  const metrics = await (await fetch(`${again.addresses.api}/metrics`)).text();
  expect(metrics).toMatch(/^telemetry_detached_parts [1-9]/m);
  expect(await sendLogs(again, 'after')).toBe(200);
  await again.stop();
  rmSync(first.dataDir, { recursive: true, force: true });
});

/** Cuts the files of one part of the logs, as a disk does that loses its last blocks. */
function damageOnePart(folder: string): void {
  const parts = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(
      (entry) => entry.isFile() && entry.name === 'columns.txt' && /\/\d{4}\d*_\d+_\d+_\d+$/.test(entry.parentPath),
    )
    .map(({ parentPath }) => parentPath);
  const [part] = parts.filter((path) => readdirSync(path).includes('count.txt'));
  if (part === undefined) throw new Error(`no part among ${parts.length}`);
  for (const name of readdirSync(part).filter((one) => /^(columns|checksums|count)\.txt$|\.bin$/.test(one))) {
    truncateSync(join(part, name), 0);
  }
}

/** A separate file system for one test; only root may mount one. */
function smallDisk(megabytes: number): string {
  const folder = makeFolder();
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=700`, 'tmpfs', folder]);
  return folder;
}

const isRoot = process.getuid?.() === 0 && process.platform === 'linux';

/** The reason for a skip is in the title. */
describe.skipIf(!isRoot)('a disk that fills up (mounts a small one: needs root on Linux)', () => {
  it('stops the start with a sentence when it is full already', async () => {
    const dataDir = smallDisk(1);
    writeFileSync(join(dataDir, 'filler'), Buffer.alloc(1024 * 1024 - 16_384));
    expect(await failedStart({ dataDir })).toMatch(/disk is full|no room left|disk reports an error/);
    execFileSync('umount', ['--lazy', dataDir]);
  });

  it('read-only stops the start with a sentence', async () => {
    const dataDir = smallDisk(8);
    execFileSync('mount', ['-o', 'remount,ro', dataDir]);
    expect(await failedStart({ dataDir })).toMatch(/SIGNALBOX_DATA_DIR must name a writable folder/);
    execFileSync('umount', ['--lazy', dataDir]);
  });

  it('at run time: 503 for what needs it, readiness names the parts, and all is back when it has room', async () => {
    const dataDir = smallDisk(64);
    const program = await startProgram({ dataDir });
    expect(await sendLogs(program, 'before')).toBe(200);
    const filler = join(dataDir, 'filler');
    fill(filler, dataDir);
    const create = () =>
      program.call('POST', '/api/v2/dashboards', {
        name: 'large',
        tiles: Array.from({ length: 60 }, () => ({ name: 'x'.repeat(900) })),
      });
    await expect.poll(async () => (await create()).status).toBe(503);
    expect((await create()).json).toMatchObject({ message: expect.stringContaining('no room left on its disk') });
    await expect.poll(async () => (await ready(program)).status).toBe(503);
    const { reasons = {} } = (await ready(program)).body;
    expect(Object.values(reasons).join(' ')).toMatch(/no room left/);
    expect((await program.call('GET', '/api/v2/dashboards')).status).toBe(200);
    // Too large for what little may be left; answered as retryable once the collector has given it up.
    const refused = sendLogs(program, 'x'.repeat(1_000), 4_000);
    expect([503, 429]).toContain(await refused);

    rmSync(filler);
    await expect.poll(async () => (await ready(program)).status).toBe(200);
    expect((await create()).status).toBe(200);
    await expect.poll(() => sendLogs(program, 'after')).toBe(200);
    expect(await program.stop()).toEqual({ code: 0, signal: null });
    execFileSync('umount', ['--lazy', dataDir]);
  });
});

/**
 * A separate disk for one test, with a file system that can be made read-only while files are open, as the kernel does
 * after an error of the disk.
 */
function fallibleDisk(megabytes: number): { folder: string; fail: () => void; repair: () => void } {
  const image = join(makeFolder(), 'disk.img');
  writeFileSync(image, '');
  truncateSync(image, megabytes * 1024 * 1024);
  execFileSync('mkfs.ext4', ['-q', image]);
  const folder = makeFolder();
  const mount = () => execFileSync('mount', ['-o', 'loop', image, folder]);
  mount();
  return {
    folder,
    fail: () => void spawnSync('mount', ['-o', 'remount,abort', folder]),
    repair: () => {
      execFileSync('umount', [folder]);
      // Answers 1 when it mended something.
      spawnSync('e2fsck', ['-y', image]);
      mount();
    },
  };
}

/** Whether this machine lets us mount a file as a disk: containers often do not. */
function hasFallibleDisks(): boolean {
  if (!isRoot) return false;
  try {
    const { folder, repair } = fallibleDisk(4);
    repair();
    execFileSync('umount', [folder]);
    return true;
  } catch {
    return false;
  }
}

describe.skipIf(!hasFallibleDisks())('a disk that fails at run time (mounts a file: needs root and mkfs.ext4)', () => {
  it('turned read-only: writes are 503, reads work, readiness names the parts; once fixed, nothing is lost', async () => {
    const failing = /cannot be written to|cannot read or write its files/;
    const { folder, fail, repair } = fallibleDisk(256);
    const dataDir = join(folder, 'data');
    const program = await startProgram({ dataDir, env: { SIGNALBOX_TELEMETRY_FSYNC: '1' } });
    const create = (at: RunningProgram) => at.call('POST', '/api/v2/dashboards', { name: 'kept', tiles: [] });
    expect((await create(program)).status).toBe(200);
    expect(await sendLogs(program, 'acknowledged')).toBe(200);
    fail();
    const { status, json } = await create(program);
    expect([status, json]).toEqual([503, { message: expect.stringMatching(failing) }]);
    expect((await program.call('GET', '/api/v2/dashboards')).status).toBe(200);
    await expect.poll(async () => Object.keys((await ready(program)).body.reasons ?? {})).toHaveLength(2);
    expect((await ready(program)).body.reasons).toEqual({
      metadata: expect.stringMatching(failing),
      telemetry: expect.stringMatching(failing),
    });
    await program.stop();

    repair();
    const again = await startProgram({ dataDir });
    const list = await again.call('GET', '/api/v2/dashboards');
    expect(list.json).toMatchObject({ data: [expect.objectContaining({ name: 'kept' })] });
    expect(await bodiesOf(again)).toEqual(['acknowledged 0']);
    await again.stop();
    execFileSync('umount', [folder]);
  });
});

async function bodiesOf(program: RunningProgram): Promise<string[]> {
  const sources = (await program.call('GET', '/api/v2/sources')).json as { data: { id: string; kind: string }[] };
  const sourceId = sources.data.find(({ kind }) => kind === 'log')?.id;
  const { json } = await program.call('POST', '/api/v2/search', { sourceId, maxResults: 10 });
  return (json as { data: { Body: string }[] }).data.map(({ Body }) => Body);
}

/** To the last block. */
function fill(file: string, folder: string): void {
  const { bavail, bsize } = statfsSync(folder);
  writeFileSync(file, Buffer.alloc(bavail * bsize));
}
