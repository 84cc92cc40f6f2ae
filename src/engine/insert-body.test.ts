import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { InsertBodies, type InsertPlaces } from './insert-body.ts';

let root: string;
let places: { own: string; shared: string; owner: string };
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'signalbox-bodies-'));
  places = { own: join(root, 'own'), shared: join(root, 'shared'), owner: 'me' };
  mkdirSync(places.shared);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const open = (more: Partial<InsertPlaces> = {}) => new InsertBodies({ ...places, isRoomy: () => true, ...more });
const put = (bodies: InsertBodies) => bodies.withFile(Readable.from(['x']), async (path) => path);

it('hands over the whole body, and removes it', async () => {
  const path = await open().withFile(Readable.from([Buffer.from('a\n\n'), Buffer.from('b')]), async (file) => {
    expect(readFileSync(file, 'utf8')).toBe('a\n\nb');
    return file;
  });
  expect(existsSync(path)).toBe(false);
});

it('in a file and a folder that only we can read, under unguessable names', async () => {
  const bodies = open();
  const paths: string[] = [];
  for (let at = 0; at < 3; at++) {
    await bodies.withFile(Readable.from(['x']), async (file) => {
      paths.push(file);
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(statSync(dirname(file)).mode & 0o777).toBe(0o700);
      expect(file).toMatch(/signalbox-insert-me-\w{6}\/[0-9a-f-]{36}$/);
    });
  }
  expect(new Set(paths).size).toBe(3);
  expect(dirname(paths[0] ?? '')).not.toBe(dirname(await put(open())));
});

it('removes it when its use fails, and when the body breaks off', async () => {
  const bodies = open();
  const reject = () => Promise.reject(new Error('refused'));
  await expect(bodies.withFile(Readable.from(['x']), reject)).rejects.toThrow('refused');
  const broken = Readable.from(
    (async function* () {
      yield 'half';
      throw new Error('broken off');
    })(),
  );
  await expect(bodies.withFile(broken, async () => 'used')).rejects.toThrow('broken off');
  expect(readdirSync(join(places.shared, readdirSync(places.shared)[0] ?? ''))).toEqual([]);
});

it('uses the disk while shared memory has little room, or is not there', async () => {
  let isRoomy = false;
  const bodies = open({ isRoomy: () => isRoomy });
  expect(await put(bodies)).toContain(places.own);
  isRoomy = true;
  expect(await put(bodies)).toContain(places.shared);
  expect(await put(open({ shared: join(root, 'not-there') }))).toContain(places.own);
});

it('uses the disk at the next try when a body did not fit', async () => {
  const bodies = open();
  const full = () => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' }));
  await expect(bodies.withFile(Readable.from(['x']), full)).rejects.toThrow('full');
  expect(await put(bodies)).toContain(places.own);
});

it('sweeps what a killed predecessor left, in both places, and nothing of others', () => {
  for (const place of [places.own, places.shared]) {
    mkdirSync(join(place, 'signalbox-insert-me-abcdef'), { recursive: true });
    writeFileSync(join(place, 'signalbox-insert-me-abcdef', 'left'), 'over');
    writeFileSync(join(place, 'signalbox-insert-me-7'), 'left over by an older version');
    writeFileSync(join(place, 'signalbox-insert-you-7'), 'in use');
  }
  open().close();
  for (const place of [places.own, places.shared]) expect(readdirSync(place)).toEqual(['signalbox-insert-you-7']);
});

it('does not follow planted links', () => {
  writeFileSync(join(root, 'precious'), 'kept');
  symlinkSync(root, join(places.shared, 'signalbox-insert-me-linked'));
  open();
  expect(readFileSync(join(root, 'precious'), 'utf8')).toBe('kept');
});
