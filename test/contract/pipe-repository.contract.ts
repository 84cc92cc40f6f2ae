import { expect, it } from 'vitest';
import { randomIds } from '../../src/kernel/ids.ts';
import type { StoredPipe } from '../../src/resources/pipes/pipe.ts';
import type { PipeRepository } from '../../src/resources/pipes/pipe-repository.ts';
import { awkwardTexts } from '../support/awkward-texts.ts';

/** What every store of pipes does. Each case has its own services, so one store serves all of them. */
export function pipeRepositoryContract(repository: () => PipeRepository): void {
  it('records come back as they were written; what is absent stays absent', async () => {
    const serviceId = randomIds.uuid();
    const plain = pipeOf();
    const full = pipeOf({ sealedSecrets: 'v1.a.b.c', fields: { name: 'full', state: 'Running', settings: {} } });
    for (const pipe of [plain, full]) expect(await repository().insert(serviceId, pipe)).toBe('inserted');
    expect(await repository().find(serviceId, plain.id)).toEqual(plain);
    expect(await repository().find(serviceId, full.id)).toEqual(full);
    expect(await repository().find(serviceId, randomIds.uuid())).toBeUndefined();
  });

  it('keeps integers beyond 2^31, fractions and the order of lists and keys', async () => {
    const serviceId = randomIds.uuid();
    const scaling = { replicas: 40, replicaMemoryGb: 0.5 };
    const settings = { object_storage_max_insert_bytes: 53_687_091_200, engine_max_threads: 0 };
    const pipe = pipeOf({
      fields: { name: 'p', state: 'Running', settings, scaling, source: { b: ['2', '1'], a: 1 } },
    });
    await repository().insert(serviceId, pipe);
    expect(JSON.stringify(await repository().find(serviceId, pipe.id))).toBe(JSON.stringify(pipe));
  });

  it.each(awkwardTexts)('keeps awkward text: $title', async ({ text }) => {
    const serviceId = randomIds.uuid();
    const pipe = pipeOf({ fields: { name: text, state: text, destination: { table: text } } });
    await repository().insert(serviceId, pipe);
    expect(await repository().find(serviceId, pipe.id)).toEqual(pipe);
  });

  it('lists in order of creation', async () => {
    const serviceId = randomIds.uuid();
    const pipes = ['f', '0', '8', '4'].map((digit) => pipeOf({ id: digit + randomIds.uuid().slice(1) }));
    for (const pipe of pipes) await repository().insert(serviceId, pipe);
    expect(await repository().list(serviceId)).toEqual(pipes);
    expect(await repository().list(randomIds.uuid())).toEqual([]);
  });

  it('an id is assigned once across all services, also under 20 concurrent requests', async () => {
    const pipe = pipeOf();
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => repository().insert(randomIds.uuid(), pipe)));
    expect(outcomes.filter((outcome) => outcome === 'inserted')).toHaveLength(1);
  });

  it('replaces the whole record, and only one that is there', async () => {
    const serviceId = randomIds.uuid();
    const pipe = pipeOf({ sealedSecrets: 'v1.a.b.c' });
    await repository().insert(serviceId, pipe);
    const replacement = pipeOf({ id: pipe.id, fields: { name: 'renamed', state: 'Stopped' } });
    expect(await repository().replace(serviceId, replacement)).toBe('replaced');
    expect(await repository().find(serviceId, pipe.id)).toEqual(replacement);
    expect(await repository().replace(serviceId, pipeOf())).toBe('missing');
  });

  it('removal answers whether there was one; the id is free again', async () => {
    const serviceId = randomIds.uuid();
    const pipe = pipeOf();
    await repository().insert(serviceId, pipe);
    expect(await repository().remove(serviceId, pipe.id)).toBe('removed');
    expect(await repository().remove(serviceId, pipe.id)).toBe('missing');
    expect(await repository().insert(randomIds.uuid(), pipe)).toBe('inserted');
  });

  it('decisions F2: another service finds, lists, replaces and removes nothing', async () => {
    const [owner, stranger] = [randomIds.uuid(), randomIds.uuid()];
    const pipe = pipeOf();
    await repository().insert(owner, pipe);
    expect(await repository().find(stranger, pipe.id)).toBeUndefined();
    expect(await repository().list(stranger)).toEqual([]);
    expect(await repository().replace(stranger, { ...pipe, fields: { name: 'stolen', state: 'x' } })).toBe('missing');
    expect(await repository().remove(stranger, pipe.id)).toBe('missing');
    expect(await repository().find(owner, pipe.id)).toEqual(pipe);
  });
}

function pipeOf(parts: Partial<StoredPipe> = {}): StoredPipe {
  return {
    id: randomIds.uuid(),
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
    fields: { name: 'orders', state: 'Running' },
    ...parts,
  };
}
