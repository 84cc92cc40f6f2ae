import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { verifyPassword } from '../../access/passwords.ts';
import { CommandWorld } from './testing.ts';

let world: CommandWorld;
beforeEach(async () => {
  world = new CommandWorld();
  await world.start();
});
afterEach(async () => {
  expect(world.opened).toBe(0);
  await world.stop();
});
const run = (...argv: string[]) => world.run(...argv);
const json = (...argv: string[]) => world.json(...argv);
const lookup = () => world.lookup();

describe('teams', () => {
  it('are created with their default sources, listed and renamed', async () => {
    const created = await json('teams', 'create', 'Acme');
    expect((await world.server.sources.list(created.id)).map(({ name }) => name)).toEqual([
      'Logs',
      'Traces',
      'Metrics',
    ]);
    const beta = await json('teams', 'create', 'Beta');
    expect(await json('teams', 'list')).toEqual([
      { id: created.id, name: 'Acme', telemetryDatabase: 'otel' },
      { id: beta.id, name: 'Beta', telemetryDatabase: `otel_${beta.id}` },
    ]);
    expect(await run('teams', 'rename', 'Acme', 'Acme Ltd')).toBe('Renamed team Acme to Acme Ltd.\n');
    expect(await run('teams', 'list')).toMatch(
      /^ID {24}NAME {6}TELEMETRY DATABASE\n[0-9a-f]{24} {2}Acme Ltd {2}otel\n/,
    );
  });

  it('have unique names', async () => {
    await run('teams', 'create', 'Acme');
    await run('teams', 'create', 'Beta');
    await expect(run('teams', 'create', 'Acme')).rejects.toThrow('A team with this name already exists.');
    await expect(run('teams', 'rename', 'Beta', 'Acme')).rejects.toThrow('A team named "Acme" already exists.');
    await expect(run('teams', 'rename', 'Gamma', 'Delta')).rejects.toThrow('There is no team "Gamma".');
    await expect(run('teams', 'create', ' ')).rejects.toThrow('1 to 256 characters');
  });
});

describe('users', () => {
  beforeEach(() => run('teams', 'create', 'Acme'));

  it('are created, the first one as owner, and listed without any secret', async () => {
    expect(await json('users', 'create', 'Ada@example.com', '--name', 'Ada')).toMatchObject({ role: 'owner' });
    expect(await json('users', 'create', 'bob@example.com', '--team', 'Acme')).toMatchObject({ role: 'member' });
    await run('users', 'set-password', 'ADA@example.com');
    expect(await json('users', 'list')).toMatchObject([
      { email: 'ada@example.com', name: 'Ada', hasPassword: true },
      { email: 'bob@example.com', name: null, hasPassword: false },
    ]);
    const stored = await world.server.identities.findUserByEmail('ada@example.com');
    expect(await verifyPassword(stored?.passwordHash, 'correct-horse-battery')).toBe(true);
    expect(await run('users', 'list')).not.toContain('argon2');
  });

  it('say what is wrong', async () => {
    await run('users', 'create', 'ada@example.com');
    await expect(run('users', 'create', 'ADA@example.com')).rejects.toThrow('already');
    await expect(run('users', 'create', 'ada')).rejects.toThrow('"ada" is not an email address.');
    await expect(run('users', 'set-password', 'eve@example.com')).rejects.toThrow('There is no user');
    await run('teams', 'create', 'Beta');
    await expect(run('users', 'create', 'bob@example.com')).rejects.toThrow('name one with --team');
  });
});

describe('keys (decisions K2)', () => {
  beforeEach(async () => {
    await run('teams', 'create', 'Acme');
    await run('users', 'create', 'ada@example.com');
  });

  it('count for a server that runs on the same folder as soon as they are made, and are shown once', async () => {
    const personal = await json('keys', 'create', 'ci', '--role', 'read');
    const ingestion = await json('keys', 'create', 'edge', '--kind', 'ingestion');
    expect(await lookup().find('personal', personal.key)).toMatchObject({ name: 'ci', role: 'read' });
    expect(await lookup().find('ingestion', ingestion.key)).toMatchObject({ name: 'edge' });
    const listed = await run('keys', 'list', '--json');
    for (const secret of [personal.key, ingestion.key, 'hash']) expect(listed).not.toContain(secret);
    expect(JSON.parse(listed)).toMatchObject([
      { name: 'ci', kind: 'personal', user: 'ada@example.com', state: 'active' },
      { name: 'edge', kind: 'ingestion', user: null, state: 'active' },
    ]);
    expect(await run('keys', 'create', 'x')).toMatch(/\(.{24}\)\. It will not be shown again:\n[0-9a-f]{40}\n$/);
  });

  it('end immediately when revoked', async () => {
    const { id, key } = await json('keys', 'create', 'ci');
    const running = lookup();
    expect(await running.find('personal', key)).toBeDefined();
    await run('keys', 'revoke', id);
    expect(await running.find('personal', key)).toBeUndefined();
    expect(await json('keys', 'list')).toMatchObject([{ id, state: 'revoked' }]);
    await expect(run('keys', 'rotate', id)).rejects.toThrow('The key is revoked or has expired.');
  });

  it('are rotated with an overlap, none by default', async () => {
    const first = await json('keys', 'create', 'ci');
    const second = await json('keys', 'rotate', first.id, '--overlap', '24h');
    expect(await lookup().find('personal', first.key)).toBeDefined();
    const third = await json('keys', 'rotate', second.id);
    expect(await lookup().find('personal', second.key)).toBeUndefined();
    await world.clock.advance(24 * 3_600_000);
    expect(await lookup().find('personal', first.key)).toBeUndefined();
    expect(await lookup().find('personal', third.key)).toBeDefined();
    expect(await run('keys', 'rotate', third.id, '--overlap', '1h')).toContain('The old key ends in 1h.');
  });

  it('may expire', async () => {
    const { key, expiresAt } = await json('keys', 'create', 'ci', '--expires', '90d');
    expect(Date.parse(expiresAt)).toBe(world.clock.nowMs() + 90 * 86_400_000);
    await world.clock.advance(90 * 86_400_000);
    expect(await lookup().find('personal', key)).toBeUndefined();
    expect(await run('keys', 'list')).toContain('expired');
  });

  it.each([
    [['keys', 'create', 'ci', '--expires', 'soon'], '--expires must be a duration'],
    [['keys', 'create', 'ci', '--kind', 'cloud'], 'Allowed choices are personal, ingestion'],
    [['keys', 'create', 'ci', '--user', 'eve@example.com'], 'There is no user'],
    [['keys', 'create', ' '], '1 to 256 characters'],
    [['keys', 'revoke', 'none'], 'There is no such key.'],
    [['keys', 'rotate', 'none', '--overlap', '1'], '--overlap must be a duration'],
  ])('%j is rejected', async (argv, reason) => {
    await expect(run(...argv)).rejects.toThrow(reason);
    expect(await json('keys', 'list')).toEqual([]);
  });
});
