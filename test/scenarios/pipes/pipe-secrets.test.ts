import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TSchema } from 'typebox';
import { describe, expect, it } from 'vitest';
import { secretMask } from '../../../src/contract/pipe.ts';
import { PipeInputSchema } from '../../../src/contract/pipe-input.ts';
import { serviceId } from '../../../src/http/testing.ts';
import { openPipeSecrets } from '../../../src/resources/pipes/pipe-secrets.ts';
import { fieldsOf, isSecret, itemOf } from '../../../src/resources/pipes/schema-walk.ts';
import { openTestMetadata } from '../../support/metadata-stores.ts';
import { PipeApi, secrets } from './pipe-api.ts';
import { asWritten, goldenPipes, pipeId } from './pipe-fixtures.ts';

const planted = /planted/;
const whole = asWritten(goldenPipes.everything);

/** Every place that is a credential in the specification of real pipes. */
const secretPaths = [
  'source.kafka.credentials',
  'source.kafka.schemaRegistry.credentials',
  'source.kinesis.accessKey',
  'source.kinesis.credentials',
  'source.kinesis.schemaRegistry.credentials',
  'source.objectStorage.accessKey',
  'source.objectStorage.connectionString',
  'source.objectStorage.credentials',
  'source.objectStorage.serviceAccountKey',
  'source.postgres.credentials',
];

function markedPaths(schema: TSchema, path = ''): string[] {
  if (isSecret(schema)) return [path];
  const item = itemOf(schema);
  const inside = Object.entries(fieldsOf(schema)).flatMap(([name, field]) =>
    markedPaths(field, path === '' ? name : `${path}.${name}`),
  );
  return item ? [...inside, ...markedPaths(item, `${path}.0`)] : inside;
}

function at(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], value);
}

function withValueAt(value: unknown, [first = '', ...rest]: string[], replacement: unknown): Record<string, unknown> {
  const fields = value as Record<string, unknown>;
  return { ...fields, [first]: rest.length === 0 ? replacement : withValueAt(fields[first], rest, replacement) };
}

it('the contract marks every credential, and the tests plant something in each', () => {
  expect(markedPaths(PipeInputSchema).sort()).toEqual(secretPaths);
  for (const path of secretPaths) expect(JSON.stringify(at(whole, path)), path).toMatch(planted);
});

describe('decisions P2: secrets of a pipe', () => {
  it('never appear in a response; connectionString is one fixed mask', async () => {
    const api = new PipeApi();
    await api.apply(whole);
    const { body } = await api.send('GET', `/pipes/${pipeId}`);
    expect(body).not.toMatch(planted);
    expect(body.split(secretMask)).toHaveLength(2);
  });

  it('the mask reveals neither length nor beginning; absent stays absent', async () => {
    const api = new PipeApi();
    for (const connectionString of ['', 'a', 'AccountKey=abc123'.repeat(100)]) {
      const shown = await api.shown({ id: pipeId, name: 'p', source: { objectStorage: { connectionString } } });
      expect(shown.source).toEqual({ objectStorage: { connectionString: secretMask } });
    }
    const shown = await api.shown({ id: pipeId, name: 'p', source: { objectStorage: { path: 'x' } } });
    expect(shown.source).toEqual({ objectStorage: { path: 'x' } });
  });

  it('reach the repository only sealed, bound to the pipe', async () => {
    const api = new PipeApi();
    await api.apply(whole);
    const stored = await api.pipes.find(serviceId, pipeId);
    if (!stored) throw new Error('not stored');
    expect(JSON.stringify(stored)).not.toMatch(planted);
    const opened = openPipeSecrets(secrets, stored);
    expect(opened).toEqual(Object.fromEntries(secretPaths.map((path) => [path, at(whole, path)])));
    expect(() => openPipeSecrets(secrets, { ...stored, id: serviceId })).toThrow();
  });

  it('appear nowhere in the metadata files', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'signalbox-pipes-'));
    const metadata = await openTestMetadata({ kind: 'embedded', file: join(folder, 'metadata.db') });
    try {
      const applied = await new PipeApi({ pipes: metadata.pipes }).apply(whole);
      expect(applied.kind).toBe('created');
      const bytes = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'));
      expect(bytes.join('')).toContain('orders-readers');
      expect(bytes.join('')).not.toMatch(planted);
    } finally {
      await metadata.close();
      rmSync(folder, { recursive: true });
    }
  });

  it('appear in no log line, whatever is requested', async () => {
    const api = new PipeApi();
    await api.apply(whole);
    for (const id of [pipeId, 'x', serviceId]) await api.send('GET', `/pipes/${id}`);
    expect(api.logger.lines.length).toBeGreaterThanOrEqual(3);
    expect(JSON.stringify(api.logger.lines)).not.toMatch(planted);
  });

  it.each(secretPaths)('%s: a wrong value is rejected without being echoed', async (path) => {
    const wrong = [
      'planted',
      ['planted'],
      { a: { b: 'planted' } },
      { a: ['planted'] },
      'planted'.repeat(10_000),
      null,
      7,
    ];
    const accepted = typeof at(whole, path) === 'string' ? wrong.indexOf('planted') : -1;
    for (const [index, value] of wrong.entries()) {
      const problems = await new PipeApi().problemsOf(withValueAt(whole, path.split('.'), value));
      if (index === accepted) continue;
      expect(problems.join(' '), JSON.stringify(value)?.slice(0, 50)).toContain(path);
      expect(problems.join(' ')).not.toMatch(planted);
    }
  });

  it.each(['settings', 'source', 'scaling', 'state'])('are not repeated when %s is wrong', async (field) => {
    const problems = await new PipeApi().problemsOf({ ...whole, [field]: { unknown: 'planted' } });
    expect(problems).not.toEqual([]);
    expect(problems.join(' ')).not.toMatch(planted);
  });

  it('that changed are a change, though nothing of it shows', async () => {
    const api = new PipeApi();
    await api.apply(whole);
    for (const path of secretPaths) {
      const value = typeof at(whole, path) === 'string' ? 'planted anew' : { password: 'planted anew' };
      const changed = withValueAt(whole, path.split('.'), value);
      expect((await api.apply(changed)).kind, path).toBe('changed');
      expect((await api.apply(changed)).kind, path).toBe('unchanged');
      await api.apply(whole);
    }
  });

  it('sealed with another key are replaced by a write, and remain readable until then', async () => {
    const api = new PipeApi();
    await api.apply(whole);
    const stored = await api.pipes.find(serviceId, pipeId);
    if (!stored) throw new Error('not stored');
    await api.pipes.replace(serviceId, { ...stored, sealedSecrets: 'v1.AAAA.BBBB.CCCC' });
    expect((await api.send('GET', `/pipes/${pipeId}`)).status).toBe(200);
    expect((await api.apply(whole)).kind).toBe('changed');
  });
});
