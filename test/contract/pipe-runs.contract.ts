import { expect, it } from 'vitest';
import { randomIds } from '../../src/kernel/ids.ts';
import type { PipeLeases } from '../../src/pipes/pipe-leases.ts';
import { LeaseLostError, type PipeLedger } from '../../src/pipes/pipe-ledger.ts';
import type { StoredPipe } from '../../src/resources/pipes/pipe.ts';
import type { PipeRepository } from '../../src/resources/pipes/pipe-repository.ts';
import { type PipeRuns, pipeChangesMax } from '../../src/resources/pipes/pipe-runs.ts';

export interface PipeStores {
  pipes: PipeRepository;
  runs: PipeRuns;
  leases: PipeLeases;
  ledger: PipeLedger;
}

const serviceId = randomIds.uuid();
const nowMs = Date.UTC(2026, 0, 1);
const at = new Date(nowMs).toISOString();
const noProgress = { rows: 0, bytes: 0, errors: 0, batches: 0 };

/** What every store of running pipes does. Each case has its own owner and pipes, so one store serves all of them. */
export function pipeRunsContract(stores: () => PipeStores): void {
  async function pipe(state = 'Running', source: object = { objectStorage: {} }): Promise<StoredPipe> {
    const made = { id: randomIds.uuid(), createdAt: at, updatedAt: at, fields: { name: 'p', state, source } };
    await stores().pipes.insert(serviceId, made);
    return made;
  }
  const adopt = () => stores().leases.adopt({ nowMs, max: 1_000 });
  const find = (id: string) => stores().pipes.find(serviceId, id);
  const order = (id: string, given = 'Running') =>
    ({ serviceId, pipeId: id, family: 'stream', given, nowMs: nowMs + 5 }) as const;
  /** Takes everything that is due, and returns what is known of one pipe. */
  async function claim(owner: string, id: string, time = nowMs) {
    const claimed = await stores().leases.claimDue({ owner, nowMs: time, leaseUntilMs: time + 100, max: 1_000 });
    return claimed.find((leased) => leased.pipe.id === id);
  }
  async function leased(state?: string): Promise<{ owner: string; id: string }> {
    const { id } = await pipe(state);
    await adopt();
    const owner = randomIds.uuid();
    expect(await claim(owner, id)).toBeDefined();
    return { owner, id };
  }

  it('a record that never ran shows no run; adopted, it begins in the state that it is given', async () => {
    const [running, stopped, unknown] = [await pipe('Running'), await pipe('Stopped'), await pipe('Unknown')];
    expect(await find(running.id)).toEqual(running);
    await adopt();
    await adopt();
    const states = await Promise.all([running, stopped, unknown].map(async ({ id }) => (await find(id))?.run?.state));
    expect(states).toEqual(['Provisioning', 'Stopped', 'Provisioning']);
    expect((await find(running.id))?.run).toEqual({ state: 'Provisioning', changedAt: at, progress: noProgress });
    expect((await stores().pipes.list(serviceId)).find(({ id }) => id === stopped.id)?.run?.state).toBe('Stopped');
  });

  it('one owner per pipe until the lease ends; what is at rest is not taken', async () => {
    const { id } = await pipe();
    const resting = await pipe('Paused');
    await adopt();
    const owners = Array.from({ length: 8 }, () => randomIds.uuid());
    const claims = await Promise.all(owners.map((owner) => claim(owner, id)));
    expect(claims.filter((found) => found !== undefined)).toMatchObject([{ serviceId, state: 'Provisioning' }]);
    expect(await claim(randomIds.uuid(), id, nowMs + 99)).toBeUndefined();
    const next = randomIds.uuid();
    expect(await claim(next, id, nowMs + 100)).toBeDefined();
    expect(await claim(randomIds.uuid(), resting.id)).toBeUndefined();
    expect(await stores().leases.held(next)).toContainEqual({
      pipeId: id,
      state: 'Provisioning',
      updatedAt: at,
      generation: 0,
    });
  });

  it('a lease that is renewed is kept; released, the pipe is free', async () => {
    const { owner, id } = await leased();
    await stores().leases.held(owner, nowMs + 1_000);
    expect(await claim(randomIds.uuid(), id, nowMs + 999)).toBeUndefined();
    await stores().leases.release(randomIds.uuid(), id);
    expect(await claim(randomIds.uuid(), id)).toBeUndefined();
    await stores().leases.release(owner, id);
    expect(await claim(randomIds.uuid(), id)).toBeDefined();
  });

  it('the holder moves the state; the reason, the time and the history are kept', async () => {
    const { owner, id } = await leased();
    const move = { owner, pipeId: id, nowMs: nowMs + 10 };
    expect(await stores().leases.move({ ...move, event: 'flow' })).toBe('moved');
    expect(await stores().leases.move({ ...move, event: 'flow' })).toBe('moved');
    const trouble = { event: 'trouble', reason: 'The source is away.', failures: 3 } as const;
    expect(await stores().leases.move({ ...move, ...trouble, nowMs: nowMs + 20 })).toBe('moved');
    const changedAt = new Date(nowMs + 20).toISOString();
    expect((await find(id))?.run).toMatchObject({ state: 'Degraded', reason: 'The source is away.', changedAt });
    expect(await stores().runs.history(serviceId, id)).toEqual([
      { at: changedAt, state: 'Degraded', reason: 'The source is away.', by: 'supervisor' },
      { at: new Date(nowMs + 10).toISOString(), state: 'Running', by: 'supervisor' },
    ]);
    expect(await stores().runs.history(randomIds.uuid(), id)).toEqual([]);
  });

  it('the states of all pipes that run or have run can be listed', async () => {
    const { id } = await leased();
    const never = await pipe();
    const states = await stores().leases.states(10_000);
    expect(states).toContainEqual({ pipeId: id, state: 'Provisioning' });
    expect(states.map(({ pipeId }) => pipeId)).not.toContain(never.id);
    expect(await stores().leases.states(1)).toHaveLength(1);
  });

  it('no one else moves it, and nothing moves to a state that the present one does not lead to', async () => {
    const { owner, id } = await leased();
    const move = { pipeId: id, nowMs };
    expect(await stores().leases.move({ ...move, owner: randomIds.uuid(), event: 'flow' })).toBe('lost');
    expect(await stores().leases.move({ ...move, owner, event: 'halt' })).toBe('lost');
    expect((await find(id))?.run?.state).toBe('Provisioning');
  });

  it('given back with a pause, it is taken again after it', async () => {
    const { owner, id } = await leased();
    const release = { dueMs: nowMs + 50 };
    await stores().leases.move({ owner, pipeId: id, event: 'trouble', nowMs, release, failures: 2 });
    expect(await stores().leases.held(owner)).not.toContainEqual(expect.objectContaining({ pipeId: id }));
    expect(await claim(randomIds.uuid(), id, nowMs + 49)).toBeUndefined();
    expect(await claim(randomIds.uuid(), id, nowMs + 50)).toMatchObject({ failures: 2, state: 'Degraded' });
  });

  it('commands change the state also before any process ran the pipe; impossible ones change nothing', async () => {
    const { id } = await pipe();
    const stop = { ...order(id), command: 'stop' } as const;
    expect(await stores().runs.command(stop)).toMatchObject({ kind: 'done', run: { state: 'Stopping' } });
    const start = { ...order(id), command: 'start' } as const;
    expect(await stores().runs.command(start)).toEqual({ kind: 'impossible', state: 'Stopping' });
    expect(await stores().runs.history(serviceId, id)).toMatchObject([{ state: 'Stopping', by: 'client' }]);
    expect(await claim(randomIds.uuid(), id)).toMatchObject({ state: 'Stopping' });
  });

  it('a resync forgets positions and begins another generation', async () => {
    const { id } = await pipe('Running', { postgres: {} });
    await adopt();
    const owner = randomIds.uuid();
    expect(await claim(owner, id)).toMatchObject({ generation: 0 });
    await stores().leases.move({ owner, pipeId: id, event: 'flow', nowMs });
    const progress = { rows: 1, bytes: 1, errors: 0 };
    const batch = { owner, pipeId: id, generation: 0, entries: [{ key: 'lsn', position: '1' }], progress, nowMs };
    await stores().ledger.write(batch);
    const outcome = await stores().runs.command({ ...order(id), family: 'database', command: 'resync' });
    expect(outcome).toMatchObject({ kind: 'done', run: { state: 'Resync' } });
    // A run from before may still be writing; what it knows counts no more.
    await expect(stores().ledger.write(batch)).rejects.toThrow(LeaseLostError);
    const late = { owner, pipeId: id, event: 'flow', generation: 0, nowMs } as const;
    expect(await stores().leases.move(late)).toBe('lost');
    expect(await stores().ledger.find(id, ['lsn'])).toEqual(new Map());
    expect((await find(id))?.run).toMatchObject({ state: 'Resync', progress: noProgress });
    expect((await stores().leases.held(owner)).find(({ pipeId }) => pipeId === id)).toMatchObject({ generation: 1 });
    await stores().leases.release(owner, id);
    expect(await claim(randomIds.uuid(), id)).toMatchObject({ generation: 1, state: 'Resync' });
  });

  it('a record that is given another state begins anew; one that runs and is given as running continues', async () => {
    const { owner, id } = await leased();
    await stores().leases.move({ owner, pipeId: id, event: 'flow', nowMs });
    await stores().runs.restate(order(id, 'Running'));
    expect((await find(id))?.run?.state).toBe('Running');
    await stores().runs.restate(order(id, 'Stopped'));
    expect((await find(id))?.run?.state).toBe('Stopped');
  });

  it('positions are replaced, found by key, listed by prefix, forgotten', async () => {
    const { owner, id } = await leased();
    const write = (entries: { key: string; position: string | undefined }[]) =>
      stores().ledger.write({ owner, pipeId: id, entries, nowMs });
    const many = Array.from({ length: 1_200 }, (_, index) => ({ key: `m/${index}`, position: '1' }));
    await write([{ key: 'a/2', position: 'x' }, { key: 'a/1', position: '"%_' }, ...many]);
    await write([{ key: 'a/2', position: 'y' }]);
    const keys = ['a/1', 'a/2', 'none', ...many.map(({ key }) => key)];
    expect((await stores().ledger.find(id, keys)).size).toBe(1_202);
    expect(await stores().ledger.list(id, 'a/', 10)).toEqual([
      { key: 'a/1', position: '"%_' },
      { key: 'a/2', position: 'y' },
    ]);
    expect(await stores().ledger.list(id, 'a/', 1)).toHaveLength(1);
    await write(keys.map((key) => ({ key, position: undefined })));
    expect(await stores().ledger.find(id, keys)).toEqual(new Map());
  });

  it('progress adds up and is shown with the pipe', async () => {
    const { owner, id } = await leased();
    const progress = { rows: 10, bytes: 100, errors: 1 };
    await stores().ledger.write({ owner, pipeId: id, entries: [], progress, nowMs });
    await stores().ledger.write({ owner, pipeId: id, entries: [], progress, lagMs: 7, nowMs });
    expect((await find(id))?.run?.progress).toEqual({
      ...{ rows: 20, bytes: 200, errors: 2, batches: 2 },
      lastSuccessAt: at,
      lagMs: 7,
    });
  });

  it('without the lease nothing is written', async () => {
    const { id } = await leased();
    const entry = { pipeId: id, entries: [{ key: 'k', position: 'p' }], progress: { rows: 1, bytes: 1, errors: 0 } };
    await expect(stores().ledger.write({ ...entry, owner: randomIds.uuid(), nowMs })).rejects.toThrow(LeaseLostError);
    expect(await stores().ledger.find(id, ['k'])).toEqual(new Map());
  });

  it('the history keeps the latest changes, newest first', async () => {
    const { owner, id } = await leased();
    for (let change = 0; change <= pipeChangesMax; change++) {
      const move = { owner, pipeId: id, event: 'trouble', reason: `trouble ${change}`, nowMs } as const;
      await stores().leases.move(move);
    }
    const history = await stores().runs.history(serviceId, id);
    expect(history).toHaveLength(pipeChangesMax);
    expect(history[0]?.reason).toBe(`trouble ${pipeChangesMax}`);
  });

  it('a removed pipe takes its run, positions and history with it', async () => {
    const { owner, id } = await leased();
    await stores().ledger.write({ owner, pipeId: id, entries: [{ key: 'k', position: 'p' }], nowMs });
    await stores().pipes.remove(serviceId, id);
    expect(await stores().leases.held(owner)).not.toContainEqual(expect.objectContaining({ pipeId: id }));
    expect(await stores().ledger.find(id, ['k'])).toEqual(new Map());
    expect(await stores().leases.move({ owner, pipeId: id, event: 'flow', nowMs })).toBe('lost');
  });

  it('an edit of the record leaves the run as it is, and the holder sees it', async () => {
    const { owner, id } = await leased();
    const edited = {
      id,
      createdAt: at,
      updatedAt: '2026-02-02T00:00:00.000Z',
      fields: { name: 'q', state: 'Running' },
    };
    await stores().pipes.replace(serviceId, edited);
    expect((await find(id))?.run?.state).toBe('Provisioning');
    expect(await stores().leases.held(owner)).toContainEqual(expect.objectContaining({ updatedAt: edited.updatedAt }));
  });
}
