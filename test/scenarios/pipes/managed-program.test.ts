import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Ajv2020 as Ajv } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { folderTexts } from '../../support/folder-texts.ts';
import { launchProgram, type RunningProgram, startProgram } from '../../support/start-program.ts';
import { asWritten, goldenPipes, pipeId } from './pipe-fixtures.ts';

const organizationId = '6f1c2a5e-0d0b-4f6e-9d0e-3a1b2c4d5e6f';
const serviceId = '0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d';
const otherServiceId = '0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4e';
const otherPipeId = '11111111-2222-4333-8444-555555555555';
const key = { name: 'ci', keyId: 'AKIDEXAMPLE0000000001', keySecret: 'a-key-secret-of-the-test' };
const golden = goldenPipes.everything;

const organizations = (pipe: object) => [
  {
    id: organizationId,
    name: 'Acme',
    apiKeys: [{ ...key, role: 'read', services: [serviceId] }],
    services: [
      { id: serviceId, name: 'production', pipes: [pipe] },
      { id: otherServiceId, name: 'staging', pipes: [{ id: otherPipeId, name: 'foreign' }] },
    ],
  },
];
const env = { SIGNALBOX_FLAVOUR: 'managed', SIGNALBOX_ALIASES: '1', SIGNALBOX_ROLES: 'api' };

let folder: string;
let program: RunningProgram;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-managed-'));
  program = await start();
});
afterAll(async () => {
  await program.stop();
  rmSync(folder, { recursive: true });
});

function start(pipe: object = asWritten(golden)): Promise<RunningProgram> {
  return startProgram({ env, dataDir: join(folder, 'data'), provisioning: { organizations: organizations(pipe) } });
}

async function get(path: string): Promise<{ status: number; text: string; json: Record<string, unknown> }> {
  const authorization = `Basic ${Buffer.from(`${key.keyId}:${key.keySecret}`).toString('base64')}`;
  const answer = await fetch(`${program.addresses.api}/v1${path}`, { headers: { authorization } });
  const text = await answer.text();
  return { status: answer.status, text, json: JSON.parse(text) };
}

const own = `/organizations/${organizationId}/services/${serviceId}`;
const getPipe = (id = pipeId, word = 'pipes') => get(`${own}/${word}/${id}`);

/** `signalbox pipes …` in a separate process, beside the running server. */
async function pipes(...argv: string[]): Promise<string> {
  const main = join(inject('programFolder'), 'main.js');
  const settings = { PATH: process.env.PATH, ...env, SIGNALBOX_DATA_DIR: join(folder, 'data') };
  const { stdout } = await promisify(execFile)('node', [main, 'pipes', ...argv], { env: settings });
  return stdout;
}

describe('the program in the managed flavour', () => {
  it('seed §Get pipe: answers a provisioned pipe in the envelope', async () => {
    const { status, json } = await getPipe();
    expect(status).toBe(200);
    expect(Object.keys(json).sort()).toEqual(['requestId', 'result', 'status']);
    const { createdAt, updatedAt, ...result } = json.result as Record<string, unknown>;
    expect(result).toEqual({ id: pipeId, serviceId, ...golden });
    expect(createdAt).toBe(updatedAt);
  });

  it.each([
    ['a malformed pipe id', 400, `${own}/pipes/x`],
    [
      'a service that the key may not reach',
      403,
      `/organizations/${organizationId}/services/${otherServiceId}/pipes/${otherPipeId}`,
    ],
    ['a pipe of another service below one’s own path', 404, `${own}/pipes/${otherPipeId}`],
  ])('%s: %i with exactly error and status', async (_, status, path) => {
    const answer = await get(path);
    expect([answer.status, answer.json]).toEqual([status, { error: expect.any(String), status }]);
  });

  it('decisions F7: also in the words of existing clients', async () => {
    const { settings } = (await getPipe(pipeId, 'clickpipes')).json.result as { settings: object };
    expect(settings).toHaveProperty('clickhouse_max_threads', 8);
    expect(settings).not.toHaveProperty('engine_max_threads');
  });

  it('documents the operation as beta, with named parts; its real answers are valid by the document', async () => {
    const { json: document } = await get('/openapi.json');
    const path = '/v1/organizations/{organizationId}/services/{serviceId}/pipes/{pipeId}';
    const paths = document.paths as Record<string, { get: { responses: object } }>;
    expect(paths[path]?.get).toMatchObject({ operationId: 'getPipe', 'x-beta': true, tags: ['Pipes'] });
    const { schemas } = document.components as { schemas: object };
    const parts = ['PipeDestination', 'PipeScaling', 'PipeSettings', 'PipeSource', 'PipeFieldMapping'];
    const kinds = ['KafkaPipeSource', 'KinesisPipeSource', 'ObjectStoragePipeSource', 'PostgresPipeSource'];
    expect(Object.keys(schemas)).toEqual(expect.arrayContaining(['Pipe', ...parts, ...kinds]));
    expect(Object.keys(paths[path]?.get.responses ?? {})).toEqual([
      '200',
      '400',
      '401',
      '403',
      '404',
      '429',
      '500',
      '503',
    ]);
    const ajv = new Ajv({ strict: false }).addSchema({ $id: 'doc', ...document });
    const pointer = path.replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D');
    for (const { status, json } of [await getPipe(), await getPipe('x'), await getPipe(otherPipeId)]) {
      const validate = ajv.getSchema(`doc#/paths/${pointer}/get/responses/${status}/content/application~1json/schema`);
      expect(validate?.(json), JSON.stringify(validate?.errors)).toBe(true);
    }
  });

  it('provisioning is idempotent over restarts: ids and createdAt stay, updatedAt moves only with a change', async () => {
    const restart = async (pipe?: object) => {
      await program.kill('SIGTERM');
      program = await start(pipe);
      return (await getPipe()).json.result as Record<string, string>;
    };
    const first = (await getPipe()).json.result as Record<string, string>;
    expect(await restart()).toEqual(first);
    const changed = await restart(asWritten({ ...golden, state: 'Stopped' }));
    expect(changed).toMatchObject({ id: first.id, createdAt: first.createdAt, state: 'Stopped' });
    expect(Date.parse(changed.updatedAt ?? '')).toBeGreaterThan(Date.parse(first.updatedAt ?? ''));
  });

  it('decisions P2: no secret in the answers, the output or the data folder', async () => {
    for (const word of ['pipes', 'clickpipes']) expect((await getPipe(pipeId, word)).text).not.toContain('planted');
    expect(program.output()).not.toContain('planted');
    const stored = folderTexts(join(folder, 'data'));
    expect(stored.some((text) => text.includes('orders-readers'))).toBe(true);
    expect(stored.filter((text) => text.includes('planted'))).toEqual([]);
  });

  it('the command line works beside it, and the server returns its writes immediately', async () => {
    const file = join(folder, 'pipe.json');
    writeFileSync(file, JSON.stringify(asWritten({ ...goldenPipes.kafka, state: 'Paused' })));
    expect(await pipes('apply', file, '--service', serviceId)).toBe(`orders (${pipeId}): changed\n`);
    expect((await getPipe()).json.result).toMatchObject({ state: 'Paused', source: goldenPipes.kafka.source });
    const listed = JSON.parse(await pipes('list', '--service', serviceId, '--json'));
    expect(listed).toEqual([(await getPipe()).json.result]);
    await pipes('delete', pipeId, '--service', serviceId);
    expect((await getPipe()).status).toBe(404);
  });

  it('a bad pipe stops the start with line, path and reason, and without any secret', async () => {
    const bad = { ...asWritten(golden), settings: { streaming_max_insert_wait: 500 } };
    const provisioning = { organizations: organizations(bad) };
    const launched = launchProgram({ env, dataDir: join(folder, 'other'), provisioning });
    expect((await launched.exited).code).toBe(2);
    expect(launched.output()).toContain(
      'pipes.0.settings.streaming_max_insert_wait: is not a known field; did you mean streaming_max_insert_wait_ms?',
    );
    expect(launched.output()).not.toContain('planted');
  });
});
