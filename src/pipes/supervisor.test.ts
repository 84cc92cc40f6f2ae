import { afterEach, describe, expect, it } from 'vitest';
import { FakeClock } from '../kernel/fake-clock.ts';
import { RecordingLogger } from '../kernel/recording-logger.ts';
import { FakePipeRepository } from '../resources/pipes/fake-pipe-repository.ts';
import type { PipeFields } from '../resources/pipes/pipe.ts';
import type { PipeCommand, PipeFamily } from '../resources/pipes/pipe-transitions.ts';
import { DestinationError } from './destination-port.ts';
import { FakeConnector } from './fake-connector.ts';
import { FakeDestination } from './fake-destination.ts';
import { FakePipeRuns } from './fake-pipe-runs.ts';
import type { PipeDefinition } from './pipe-definition.ts';
import { noPipeMetrics } from './pipe-metrics.ts';
import { connectorsOf } from './run-check.ts';
import { SourceError } from './source-port.ts';
import { PipeSupervisor } from './supervisor.ts';

const serviceId = '0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d';
const pipeId = '11111111-2222-4333-8444-555555555555';
const at = '2026-01-01T00:00:00.000Z';
const fields: PipeFields = {
  name: 'orders',
  state: 'Running',
  destination: { table: 'orders', columns: [{ name: 'id', type: 'UInt64' }] },
  source: { objectStorage: { url: 'https://example.com/a.json', format: 'JSONEachRow' } },
};

class World {
  readonly clock = new FakeClock();
  readonly pipes = new FakePipeRepository();
  readonly runs = new FakePipeRuns(this.pipes);
  readonly connector = new FakeConnector();
  readonly destination = new FakeDestination();
  readonly logger = new RecordingLogger();
  #started: PipeSupervisor[] = [];

  async start(owner = 'one'): Promise<PipeSupervisor> {
    const supervisor = new PipeSupervisor({
      connectors: connectorsOf([this.connector]),
      destinationOf: async () => this.destination,
      // What the test writes is a valid pipe.
      open: ({ pipe, generation }) => ({ ...pipe.fields, id: pipe.id, serviceId, generation }) as PipeDefinition,
      leases: this.runs,
      ledger: this.runs,
      metrics: noPipeMetrics,
      clock: this.clock,
      logger: this.logger,
      owner,
      errorsMax: 10,
      pipesMax: 4,
      leaseMs: 10_000,
      lookMs: 500,
      firstRetryMs: 1_000,
      random: () => 0.5,
    });
    this.#started.push(supervisor);
    supervisor.start();
    await this.clock.advance(600);
    return supervisor;
  }

  async write(change: Partial<PipeFields> = {}, updatedAt = at): Promise<void> {
    const pipe = { id: pipeId, createdAt: at, updatedAt, fields: { ...fields, ...change } };
    if ((await this.pipes.insert(serviceId, pipe)) === 'idTaken') await this.pipes.replace(serviceId, pipe);
  }

  command(command: PipeCommand, family: PipeFamily = 'stream') {
    const nowMs = this.clock.nowMs();
    return this.runs.command({ serviceId, pipeId, family, given: 'Running', nowMs, command });
  }

  async run() {
    return (await this.pipes.find(serviceId, pipeId))?.run;
  }

  async states(): Promise<string[]> {
    return (await this.runs.history(serviceId, pipeId)).map(({ state }) => state).reverse();
  }

  async stop(): Promise<void> {
    for (const supervisor of this.#started) await supervisor.stop();
  }
}

let world: World;
afterEach(() => world.stop());

async function running(): Promise<World> {
  world = new World();
  await world.write();
  world.connector.append('{"id":1}', '{"id":2}');
  await world.start();
  return world;
}

describe('a pipe that runs', () => {
  it('moves rows, remembers its position, acknowledges after that, and says that it is running', async () => {
    const { destination, connector, runs } = await running();
    expect(destination.texts).toEqual(['{"id":1}', '{"id":2}']);
    expect(await runs.find(pipeId, ['line'])).toEqual(new Map([['line', '2']]));
    expect(connector.acknowledged).toEqual(['line 0', 'line 1']);
    expect(await world.run()).toMatchObject({ state: 'Running', progress: { rows: 2, batches: 2, errors: 0 } });
  });

  it('stops within a second of the command and starts again where it was', async () => {
    await running();
    expect(await world.command('stop')).toMatchObject({ kind: 'done', run: { state: 'Stopping' } });
    await world.clock.advance(1_000);
    expect((await world.run())?.state).toBe('Stopped');
    expect(world.connector.closed).toBe(1);
    world.connector.append('{"id":3}');
    await world.clock.advance(5_000);
    expect(world.destination.texts).toHaveLength(2);
    await world.command('start');
    await world.clock.advance(1_000);
    expect(world.destination.texts).toEqual(['{"id":1}', '{"id":2}', '{"id":3}']);
    expect(await world.states()).toEqual(['Running', 'Stopping', 'Stopped', 'Provisioning', 'Running']);
  });

  it('a batch under way when the pipe is resynced leaves no position behind: all is read again and counted anew', async () => {
    const { destination, connector, runs, clock } = await running();
    destination.meanwhile = async () => {
      destination.meanwhile = async () => {};
      expect(await world.command('resync', 'database')).toMatchObject({ run: { state: 'Resync' } });
    };
    connector.append('{"id":3}');
    await clock.advance(2_000);
    expect(destination.texts.slice(3)).toEqual(['{"id":1}', '{"id":2}', '{"id":3}']);
    expect(await runs.find(pipeId, ['line'])).toEqual(new Map([['line', '3']]));
    expect(await world.run()).toMatchObject({ state: 'Running', progress: { rows: 3, batches: 3 } });
    expect(await world.states()).toEqual(['Running', 'Resync', 'Running']);
  });

  it('ends as Completed when its source ends', async () => {
    world = new World();
    await world.write();
    world.connector.isContinuous = false;
    world.connector.append('{"id":1}');
    await world.start();
    expect((await world.run())?.state).toBe('Completed');
  });

  it('takes up an edit by running again', async () => {
    await running();
    await world.write({ name: 'renamed' }, '2026-01-02T00:00:00.000Z');
    await world.clock.advance(2_000);
    expect(world.connector.opened).toBe(2);
    expect(await world.states()).toEqual(['Running', 'Modifying', 'Running']);
  });

  it('ends with the record when that is removed', async () => {
    await running();
    await world.pipes.remove(serviceId, pipeId);
    await world.clock.advance(1_000);
    expect(world.connector.closed).toBe(1);
  });
});

describe('trouble', () => {
  it('source away and back: Degraded with its reason and longer and longer pauses, then Running', async () => {
    world = new World();
    await world.write();
    world.connector.openError = new SourceError('away', 'The host does not answer.');
    await world.start();
    expect(await world.run()).toMatchObject({ state: 'Degraded', reason: 'The host does not answer.' });
    await world.clock.advance(60_000);
    expect(world.connector.opened).toBeLessThan(9);
    world.connector.openError = undefined;
    world.connector.append('{"id":1}');
    await world.clock.advance(60_000);
    expect((await world.run())?.state).toBe('Running');
    expect(await world.run()).not.toHaveProperty('reason');
  });

  it('trouble beside a lane ends the lane before the connection is closed', async () => {
    const { connector } = await running();
    expect(connector.closed).toBe(0);
    connector.lanesError = new SourceError('away', 'The queue cannot be reached.');
    await world.command('stop');
    await world.clock.advance(1_000);
    await world.command('start');
    await world.clock.advance(1_000);
    expect(await world.run()).toMatchObject({ state: 'Degraded', reason: 'The queue cannot be reached.' });
    expect(connector.closed).toBeGreaterThan(1);
    expect(connector.readWhenClosed).toBe(0);
  });

  it('target away and back: nothing is lost, nothing doubled', async () => {
    await running();
    world.destination.writeError = new DestinationError('away', 'The database cannot be reached.');
    world.connector.append('{"id":3}');
    await world.clock.advance(3_000);
    expect((await world.run())?.state).toBe('Degraded');
    world.destination.writeError = undefined;
    await world.clock.advance(60_000);
    expect(world.destination.texts).toEqual(['{"id":1}', '{"id":2}', '{"id":3}']);
    expect((await world.run())?.state).toBe('Running');
  });

  it('what someone has to change ends as Failed, and stays so until the pipe is started', async () => {
    world = new World();
    await world.write();
    world.connector.openError = new SourceError('rejected', 'The access key is wrong.');
    await world.start();
    await world.clock.advance(60_000);
    expect(await world.run()).toMatchObject({ state: 'Failed', reason: 'The access key is wrong.' });
    expect(world.connector.opened).toBe(1);
    world.connector.openError = undefined;
    await world.command('start');
    await world.clock.advance(1_000);
    expect((await world.run())?.state).toBe('Running');
  });

  it('an error of ours ends as InternalError, without its text', async () => {
    world = new World();
    await world.write();
    world.connector.openError = new Error('secret detail');
    await world.start();
    expect((await world.run())?.state).toBe('InternalError');
    expect((await world.run())?.reason).not.toContain('secret');
  });

  it.each([
    ['a kind that is not read', { source: { kafka: {} } }, /kafka sources cannot be read by this version/],
    ['two sources', { source: { kafka: {}, objectStorage: {} } }, /must name one source/],
    ['no source', { source: undefined }, /source: is required/],
    ['no table', { destination: {} }, /destination\.table: is required/],
  ])('%s: Failed with a sentence, never a false Running', async (_, change, reason) => {
    world = new World();
    await world.write(change);
    await world.start();
    expect((await world.run())?.state).toBe('Failed');
    expect((await world.run())?.reason).toMatch(reason);
    expect(await world.states()).toEqual(['Failed']);
  });
});

describe('several processes', () => {
  it('one runs the pipe; after it stops, another continues where it was', async () => {
    await running();
    await world.start('two');
    world.connector.append('{"id":3}');
    await world.clock.advance(20_000);
    expect(world.connector.opened).toBe(1);
    await world.stop();
    world.connector.append('{"id":4}');
    await world.start('three');
    expect(world.destination.texts).toEqual(['{"id":1}', '{"id":2}', '{"id":3}', '{"id":4}']);
  });

  it('a process that lost its lease writes nothing more', async () => {
    await running();
    await world.runs.release('one', pipeId);
    await world.runs.claimDue({ owner: 'other', nowMs: world.clock.nowMs(), leaseUntilMs: Infinity, max: 1 });
    world.connector.append('{"id":3}');
    await world.clock.advance(5_000);
    expect(await world.runs.find(pipeId, ['line'])).toEqual(new Map([['line', '2']]));
    expect(world.connector.closed).toBe(1);
  });
});
