import { describe, expect, it } from 'vitest';
import { SecretBox } from '../../../access/secret-box.ts';
import { TelemetryError } from '../../../telemetry/ports.ts';
import { FakeQueryRunner } from '../../../telemetry/testing.ts';
import type { Connection } from '../../connections/connection-repository.ts';
import { toQueryAppError } from './query-errors.ts';
import { type RemoteEndpoint, RemoteEngines } from './remote-engines.ts';

const secrets = new SecretBox('a key for tests');

function connection(change: Partial<Connection> = {}): Connection {
  const times = { createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z' };
  return { id: 'c1', name: 'prod', host: 'http://ch:8123/', username: '', builtIn: false, ...times, ...change };
}

function world() {
  const endpoints: RemoteEndpoint[] = [];
  const closed: RemoteEndpoint[] = [];
  const runner = new FakeQueryRunner();
  const engines = new RemoteEngines({
    secrets,
    targets: { check: async (url) => (url.includes('private') ? { ok: false, reason: 'private.' } : { ok: true }) },
    connect: (endpoint) => {
      endpoints.push(endpoint);
      const close = async () => void closed.push(endpoint);
      return { runner, schemas: { describe: async () => undefined }, close };
    },
  });
  return { engines, endpoints, closed, runner };
}

describe('engines behind user-made connections', () => {
  it('opens the sealed password and keeps one client per connection', async () => {
    const { engines, endpoints } = world();
    const own = connection({ username: 'u', sealedPassword: secrets.seal('s3cr3t', 'c1') });
    expect(await engines.open(own)).toBe(await engines.open(own));
    expect(endpoints).toEqual([{ url: 'http://ch:8123', user: 'u', secret: 's3cr3t' }]);
  });

  it('a changed connection gets a new client, and the old one is closed', async () => {
    const { engines, endpoints, closed } = world();
    await engines.open(connection());
    await engines.open(connection({ host: 'ch2:8123', updatedAt: '2026-01-02T00:00:00.000Z' }));
    expect(endpoints.map(({ url }) => url)).toEqual(['http://ch:8123', 'http://ch2:8123']);
    expect(closed.map(({ url }) => url)).toEqual(['http://ch:8123']);
    await engines.close();
    expect(closed).toHaveLength(2);
  });

  it('names the connection whose database is away, and nothing of its address', async () => {
    const { engines, runner } = world();
    runner.answer = () => Promise.reject(new TelemetryError('unavailable', 'connect ECONNREFUSED ch:8123'));
    const engine = await engines.open(connection());
    const query = { sql: 'SELECT 1', params: {}, settings: {} };
    const error = await engine.runner
      .run(query, { queryClass: 'interactive', timeoutMs: 1 })
      .catch((thrown: unknown) => toQueryAppError(thrown));
    expect(error).toMatchObject({
      code: 'engine_unavailable',
      publicText: 'The database of the connection "prod" cannot be reached at the moment; try again.',
    });
  });

  it.each([
    ['http://private:8123', 'The connection "prod" of this source may not be called: private.'],
    ['', 'The connection "prod" of this source has no web address.'],
  ])('host "%s" is rejected when it is used', async (host, text) => {
    const { engines, endpoints } = world();
    await expect(engines.open(connection({ host }))).rejects.toMatchObject({ code: 'query_invalid', publicText: text });
    expect(endpoints).toEqual([]);
  });
});
